//! The matrix as a page.

use super::table::{Entry, Matrix, Way, columns, rows, ways};
use crate::case::Capture;
use crate::upstream::{UPSTREAM, errata};
use crate::verdict::Verdict;

impl Matrix {
    /// The same as one page, with a colour for each verdict, and the random nodes of converted graphs.
    pub fn html(&self) -> String {
        let mut text = String::from(HEAD);
        for paragraph in self.introduction() {
            text.push_str(&format!("<p>{}</p>\n", escaped(&paragraph)));
        }
        for ((framework, target), cells) in self.tables() {
            let columns = columns(&cells);
            text.push_str(&format!(
                "<h2>{framework} to {target}</h2>\n<table><tr><th>op</th>"
            ));
            for column in &columns {
                text.push_str(&format!("<th>{}</th>", escaped(column)));
            }
            text.push_str("</tr>\n");
            for row in rows(&cells) {
                text.push_str(&format!("<tr><th>{}</th>", escaped(&row)));
                for column in &columns {
                    let Some(entries) = cells.get(&(row.clone(), column.clone())) else {
                        text.push_str("<td></td>");
                        continue;
                    };
                    let worst = entries.iter().map(|entry| Way::of(&entry.capture).verdict).max();
                    let class = worst.map_or(0, |worst| {
                        Verdict::ALL
                            .iter()
                            .position(|verdict| *verdict == worst)
                            .unwrap_or(0)
                    });
                    let links: Vec<String> = ways(entries)
                        .into_iter()
                        .map(|(words, entries)| {
                            let Entry { file, line, capture } = entries[0];
                            let many = if entries.len() > 1 {
                                format!(" ×{}", entries.len())
                            } else {
                                String::new()
                            };
                            format!(
                                "<a href=\"../{}#L{line}\" title=\"{}\">{}{many}</a>{}{}",
                                escaped(file),
                                escaped(&capture.id),
                                escaped(&words),
                                errata(capture)
                                    .map(|report| format!(
                                        " <a href=\"#{0}\"><code>{0}</code></a>",
                                        report.id
                                    ))
                                    .collect::<String>(),
                                graph(capture)
                            )
                        })
                        .collect();
                    text.push_str(&format!("<td class=\"v{class}\">{}</td>", links.join("<br>")));
                }
                text.push_str("</tr>\n");
            }
            text.push_str("</table>\n");
        }
        text.push_str("<h2>What to report</h2>\n");
        for report in UPSTREAM {
            text.push_str(&format!("<h3 id=\"{}\">{}: {}</h3>\n<p><i>{}</i>, {} of the models above. {}</p>\n<p>Proposed: {}</p>\n<pre>{}</pre>\n",
                report.id,
                report.project,
                escaped(report.title),
                escaped(report.version),
                self.shown(report),
                escaped(report.cause),
                escaped(report.proposal),
                escaped(report.program)));
        }
        text
    }
}

/// The random nodes of the converted graph, to be opened.
fn graph(capture: &Capture) -> String {
    let nodes = capture.graph.iter().filter(|node| node.is_random());
    let nodes: Vec<String> = nodes.map(|node| escaped(&node.to_string())).collect();
    if nodes.is_empty() {
        return String::new();
    }
    let id = escaped(&capture.id);
    format!(
        "<details><summary>graph</summary>{id} becomes<br><code>{}</code></details>",
        nodes.join("<br>")
    )
}

const HEAD: &str = "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>Does a converted model draw the same numbers?</title>\n\
<style>body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:80rem;padding:0 1rem}table{border-collapse:collapse;font-size:13px}\
td,th{border:1px solid #8886;padding:.25rem .5rem;text-align:left;vertical-align:top}a{color:inherit;text-decoration:none}a:hover{text-decoration:underline}summary{color:#888;cursor:pointer}details{max-width:26rem}\
pre{background:#8881;padding:.75rem;overflow:auto}.v0{background:#2da44e33}.v1{background:#bf870033}.v2{background:#bc4c0033}.v3{background:#cf222e33}\
.v4{background:#cf222e33}.v5{background:#8883}</style>\n<h1>Does a converted model draw the same numbers?</h1>\n";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
