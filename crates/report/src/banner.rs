//! What a run does not say: sentences for the banner over every document.

use seedproof_check::Outcome;

use crate::Run;
use crate::text::count;

impl Run {
    /// Sentences for a banner: why the run says less than a run of the whole corpus would.
    pub fn reservations(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.cut_short() > 0 {
            all.push("cut short: an event log has no end, so findings are missing".to_owned());
        }
        // A log without a filter has what another one's filter left out.
        if self.headers().iter().all(|header| !header.filter.is_empty()) {
            let mut filters: Vec<String> = self.headers().iter().map(|h| h.filter.join(" ")).collect();
            filters.sort();
            filters.dedup();
            if !filters.is_empty() {
                all.push(format!(
                    "filtered: only cases that match {}",
                    filters.join(" or ")
                ));
            }
        }
        all.extend(self.missing_shards());
        // A case that says nothing under the reading is judged of no implementation and is named as left out.
        let of = self.cases().len();
        for implementation in self.implementations() {
            let judged = self.tally(&implementation.id).judged;
            if judged < of {
                all.push(format!(
                    "incomplete: {} has findings for {judged} of {of} judged cases",
                    implementation.id
                ));
            }
        }
        let absent = self.findings_where(|outcome| outcome == Outcome::NotRun);
        if absent > 0 {
            all.push(format!("incomplete: {} not asked", count(absent, "request")));
        }
        let ours = self.findings_where(|outcome| outcome == Outcome::Infrastructure);
        if ours > 0 {
            all.push(format!(
                "infrastructure: {}: the harness's own fault",
                count(ours, "finding")
            ));
        }
        all.extend(self.violations().iter().map(|it| format!("expectations: {it}")));
        all
    }

    /// Whether findings are missing that were asked for: a log has no end, or shards of the run are not here.
    pub fn is_partial(&self) -> bool {
        self.cut_short() > 0 || self.missing_shards().is_some()
    }

    /// The shards that are there, where some are missing.
    fn missing_shards(&self) -> Option<String> {
        let mut shards: Vec<(u32, u32)> = self.headers().iter().filter_map(|h| h.shard).collect();
        if shards.len() < self.headers().len() {
            return None;
        }
        shards.sort_unstable();
        shards.dedup();
        let whole = |of: u32| {
            shards.iter().filter(|shard| shard.1 == of).count() == usize::try_from(of).unwrap_or(usize::MAX)
        };
        if shards.is_empty() || shards.iter().any(|&(_, of)| whole(of)) {
            return None;
        }
        let present: Vec<String> = shards.iter().map(|(shard, of)| format!("{shard}/{of}")).collect();
        Some(format!("sharded: only {}", present.join(", ")))
    }

    fn findings_where(&self, test: impl Fn(Outcome) -> bool) -> usize {
        self.cases()
            .flat_map(|judged| judged.findings.values())
            .filter(|finding| test(finding.outcome))
            .count()
    }
}
