//! Caveats: the reasons why a run says less than a run of the whole corpus would, for the top of every document.

use seedproof_check::Outcome;

use crate::Run;
use crate::words::count;

impl Run {
    /// A sentence for each reason why the run says less than a run of the whole corpus would.
    pub fn caveats(&self) -> Vec<String> {
        let mut all = Vec::new();
        if self.cut_short() > 0 {
            all.push("cut short: an event log has no end, so findings are missing".to_owned());
        }
        // One log without a filter has the cases that the filters of the others left out.
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
        // A case that says nothing under the reading is judged on no implementation, and listed as left out.
        let cases = self.cases().len();
        for implementation in self.implementations() {
            let judged = self.tally(&implementation.id).judged;
            if judged < cases {
                all.push(format!(
                    "incomplete: {} has findings for {judged} of {cases} judged cases",
                    implementation.id
                ));
            }
        }
        let absent = self.count_of(Outcome::NotRun);
        if absent > 0 {
            all.push(format!("incomplete: {} not asked", count(absent, "request")));
        }
        let ours = self.count_of(Outcome::Infrastructure);
        if ours > 0 {
            all.push(format!(
                "infrastructure: {}: the harness's own fault",
                count(ours, "finding")
            ));
        }
        all.extend(self.violations().iter().map(|it| format!("expectations: {it}")));
        all
    }

    /// Whether requested findings are missing: a log has no end, or shards of the run are not here.
    pub fn is_partial(&self) -> bool {
        self.cut_short() > 0 || self.missing_shards().is_some()
    }

    /// Names the shards that are there, where some are missing.
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

    fn count_of(&self, outcome: Outcome) -> usize {
        self.cases()
            .flat_map(|judged| judged.findings.values())
            .filter(|finding| finding.outcome == outcome)
            .count()
    }
}
