//! The matrix as a page.

use super::table::{Entry, Matrix, Way, columns, rows, ways};
use crate::upstream::{UPSTREAM, errata};
use crate::verdict::Verdict;

impl Matrix {
    /// The matrix and the reports as one HTML page. A cell has the colour of its most frequent
    /// verdict, with the share of each.
    pub fn html(&self) -> String {
        let mut text = String::from(HEAD);
        for paragraph in self.introduction() {
            text.push_str(&format!("<p>{}</p>\n", escaped(&paragraph)));
        }
        text.push_str("<ul class=\"legend\">");
        for (class, verdict) in Verdict::ALL.iter().enumerate() {
            let meaning = escaped(meaning(*verdict));
            text.push_str(&format!("<li class=\"v{class}\"><b>{verdict}</b> {meaning}</li>"));
        }
        text.push_str("</ul>\n<p>");
        text.push_str(COLUMNS);
        text.push_str("</p>\n<nav>");
        let tables = self.tables();
        for (framework, target) in tables.keys() {
            let anchor = anchor(&format!("{framework} to {target}"));
            text.push_str(&format!("<a href=\"#{anchor}\">{framework} to {target}</a> "));
        }
        text.push_str("<a href=\"#reports\">What to report</a></nav>\n");
        for ((framework, target), cells) in &tables {
            let columns = columns(cells);
            let title = format!("{framework} to {target}");
            text.push_str(&format!(
                "<h2 id=\"{}\">{title}</h2>\n<div class=\"wide\"><table><tr><th>op</th>",
                anchor(&title)
            ));
            for column in &columns {
                text.push_str(&format!("<th>{}</th>", escaped(column)));
            }
            text.push_str("</tr>\n");
            for row in rows(cells) {
                text.push_str(&format!("<tr><th>{}</th>", escaped(&row)));
                for column in &columns {
                    text.push_str(&match cells.get(&(row.clone(), column.clone())) {
                        Some(entries) => cell(entries),
                        None => "<td></td>".to_owned(),
                    });
                }
                text.push_str("</tr>\n");
            }
            text.push_str("</table></div>\n");
        }
        text.push_str("<h2 id=\"reports\">What to report</h2>\n");
        for report in UPSTREAM.iter() {
            text.push_str(&format!("<h3 id=\"{}\">{}: {}</h3>\n<p><i>{}</i>, {} of the models above. {}</p>\n<p>Proposed: {}</p>\n<pre>{}</pre>\n",
                report.id,
                report.project,
                escaped(&report.title),
                escaped(&report.version),
                self.shown(report),
                escaped(&report.cause),
                escaped(&report.proposal),
                escaped(&report.program)));
        }
        text
    }
}

/// A cell: the verdicts of its models, the most frequent first.
fn cell(entries: &[&Entry]) -> String {
    let ways = ways(entries);
    let class = ways.first().map_or(0, |(_, entries)| {
        let verdict = Way::of(&entries[0].capture).verdict;
        Verdict::ALL
            .iter()
            .position(|other| *other == verdict)
            .unwrap_or(0)
    });
    let is_single = ways.len() == 1;
    let line = |(words, of_way): (String, Vec<&Entry>)| {
        let Entry { file, line, capture } = of_way[0];
        let share = if is_single {
            String::new()
        } else {
            format!(" <small>{} of {}</small>", of_way.len(), entries.len())
        };
        let reports = errata(capture)
            .map(|report| format!(" <a href=\"#{0}\"><code>{0}</code></a>", report.id))
            .collect::<String>();
        format!(
            "<a href=\"../{}#L{line}\">{}</a>{share}{reports}{}",
            escaped(file),
            escaped(&words),
            graph(of_way[0])
        )
    };
    let lines: Vec<String> = ways.into_iter().map(line).collect();
    format!("<td class=\"v{class}\">{}</td>", lines.join("<br>"))
}

/// The meaning of a verdict, for the legend.
fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::SameBits => "the target draws the source's bits",
        Verdict::SameWords => "the same random words, rounded to other values",
        Verdict::OwnBits => "other numbers, which a new process draws again",
        Verdict::NotRepeatable => "other numbers each time",
        Verdict::NotDrawn => "the op was replaced by one that is not random",
        Verdict::Refused => "the converter or the runtime refuses the model",
    }
}

/// The paragraph that explains the columns.
const COLUMNS: &str = "A column is the form in which the converter is given the model (<code>function</code>, <code>saved_model</code>, <code>trace</code>, \
<code>export</code>, or the op set of ONNX) and, after a comma, OpenVINO's <code>INFERENCE_PRECISION_HINT</code>. In a cell, each verdict is a link to \
the first model that it is measured on, and <code>, then</code> separates successive inferences. Behind a verdict stand the stages at which bits are \
lost and the erratum that says why.";

fn anchor(title: &str) -> String {
    title.to_ascii_lowercase().replace(' ', "-")
}

/// The random nodes of the converted graph, to be opened.
fn graph(entry: &Entry) -> String {
    let nodes = entry.capture.graph.iter().filter(|node| node.is_random());
    let nodes: Vec<String> = nodes.map(|node| escaped(&node.to_string())).collect();
    if nodes.is_empty() {
        return String::new();
    }
    let id = escaped(&entry.capture.id);
    format!(
        "<details><summary>graph</summary><a href=\"../{}#L{}\">{id}</a> becomes<br><code>{}</code></details>",
        escaped(&entry.file),
        entry.line,
        nodes.join("<br>")
    )
}

// Translucent colours work on a light and on a dark page. Each table scrolls by itself under a fixed first column, so
// that a phone shows the ops beside one other column.
const HEAD: &str = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
<meta name=\"color-scheme\" content=\"light dark\"><title>Does a converted model draw the same numbers?</title>\n\
<style>:root{color-scheme:light dark;--page:#fff;--text:#1f2328}@media(prefers-color-scheme:dark){:root{--page:#0d1117;--text:#e6edf3}}\
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem;background:var(--page);color:var(--text)}\
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px}nav a{margin-right:1rem}nav a,p a{text-decoration:underline}\
td,th{border:1px solid #8886;padding:.25rem .5rem;text-align:left;vertical-align:top;min-width:9rem}\
tr>th:first-child{position:sticky;left:0;background:var(--page);min-width:0;overflow-wrap:anywhere;max-width:30vw}\
a{color:inherit;text-decoration:none}a:hover{text-decoration:underline}summary{color:#888;cursor:pointer}details{max-width:26rem;overflow-wrap:anywhere}\
.legend{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.5rem}.legend li{padding:.15rem .5rem;border-radius:4px;font-size:13px}\
pre{background:#8881;padding:.75rem;overflow:auto}.v0{background:#2da44e40}.v1{background:#bf870040}.v2{background:#bc4c0040}.v3{background:#cf222e40}\
.v4{background:#cf222e80}.v5{background:#8884}</style>\n<h1>Does a converted model draw the same numbers?</h1>\n";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
