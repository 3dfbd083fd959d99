//! Numbers in rows without brackets, as tables are printed and saved: with names of columns and labels of rows, in blocks of
//! columns, and between lines such as `ans =` and `dtype: float64`. Each becomes a list in brackets, which `text` reads.

/// Lists in brackets need no help, and parts of them get none.
const BRACKETS: [char; 6] = ['[', '{', '(', ')', '}', ']'];

/// Whether a character separates numbers.
pub(super) fn is_between(c: char) -> bool {
    c.is_whitespace() || "[](){},;".contains(c)
}

/// The numbers of a text in brackets: as rows, where several lines have as many each, else as one list. `None` for a text with
/// brackets of its own, and for names that do not fit the rows below them.
pub(super) fn in_brackets(text: &str) -> Option<String> {
    let table = Table::read(text).and_then(|table| table.in_brackets());
    // The indices of R's columns are no numbers, whatever else is wrong with the table.
    let is_matrix = || text.lines().any(|line| line.trim_start().starts_with("[,"));
    table.or_else(|| is_matrix().then(String::new))
}

/// The columns of a table that names them, each with its numbers; none for a text that is not such a table.
///
/// # Errors
/// The line that has more or fewer fields than there are names.
pub(super) fn columns(text: &str) -> Result<Vec<(String, String)>, String> {
    let Some(table) = Table::read(text.trim_start_matches('\u{feff}')) else {
        return Ok(Vec::new());
    };
    let mut columns = Vec::new();
    for block in &table.blocks {
        let labels = match table.labels(block) {
            // A column without a name is one with the name "".
            Some(labels) if !block.names.is_empty() => labels * usize::from(!block.names[0].is_empty()),
            // Words between commas are a table, and other words are prose.
            None if table.separator.is_some() && !block.rows.is_empty() => 0,
            _ => return Ok(Vec::new()),
        };
        let mut named: Vec<_> = block
            .names
            .iter()
            .map(|&name| (name.to_owned(), String::new()))
            .collect();
        for &(number, line) in &block.rows {
            let fields = table.fields(line).count();
            if fields != named.len() + labels {
                return Err(format!(
                    "expected {} fields on line {number}, one for each named column, and found {fields}; save the column alone",
                    named.len() + labels
                ));
            }
            for ((_, numbers), field) in named.iter_mut().zip(table.fields(line).skip(labels)) {
                numbers.push_str(field);
                numbers.push('\n');
            }
        }
        columns.extend(named);
    }
    Ok(columns)
}

/// A line without what shells and loops print before a value: `Out[3]:`, `x[0] = `, R's `[1]` and `[1,]`.
pub(super) fn value(line: &str) -> &str {
    let trimmed = line.trim_start();
    if let Some(rest) = after_index(line, "] ").or_else(|| after_index(line, ",] ")) {
        return rest;
    }
    let prompt = ["Out[", "In ["].iter().any(|prompt| trimmed.starts_with(prompt));
    if prompt && let Some((_, rest)) = trimmed.split_once("]:") {
        return rest;
    }
    match line.split_once('=') {
        Some((place, number)) if place.trim_end().ends_with(']') && number.trim().parse::<f64>().is_ok() => {
            number
        }
        _ => line,
    }
}

/// What follows R's index of a line's first number, or of a row.
fn after_index<'a>(line: &'a str, end: &str) -> Option<&'a str> {
    let (index, rest) = line.trim_start().strip_prefix('[')?.split_once(end)?;
    let first = rest.split_whitespace().next()?;
    let is_value = first.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        || ["Inf", "NA", "NaN"].contains(&first)
        || truth(first).is_some();
    (is_value && index.bytes().all(|byte| byte.is_ascii_digit())).then_some(rest)
}

/// The digit of a truth value, as every language prints it.
pub(super) fn truth(word: &str) -> Option<&'static str> {
    match word {
        "True" | "true" | "TRUE" => Some("1"),
        "False" | "false" | "FALSE" => Some("0"),
        _ => None,
    }
}

/// Rows of as many columns as a page has room for.
#[derive(Default)]
struct Block<'a> {
    /// The names of the columns; empty where no line names them.
    names: Vec<&'a str>,
    /// Each row with the number of its line.
    rows: Vec<(usize, &'a str)>,
    /// The exponent of the factor that MATLAB prints once for all numbers, such as `e+03`.
    factor: &'a str,
}

struct Table<'a> {
    /// What separates the fields of a line; `None` for blanks.
    separator: Option<char>,
    /// At least one.
    blocks: Vec<Block<'a>>,
    /// How many columns have names.
    named: usize,
    /// Whether a row has brackets, as text in a table of named columns may.
    has_brackets: bool,
    /// Whether lines begin with a label although nothing names the column: pandas prints a `Series` so.
    is_series: bool,
    /// Whether lines end where the page does, as those of R's vectors.
    is_wrapped: bool,
}

impl<'a> Table<'a> {
    /// `None` for text with brackets around numbers, and for several tables.
    fn read(text: &'a str) -> Option<Self> {
        let mut table = Self {
            separator: None,
            blocks: vec![Block::default()],
            named: 0,
            has_brackets: false,
            is_series: text.lines().any(is_end_of_series),
            is_wrapped: text.lines().any(|line| after_index(line, "] ").is_some()),
        };
        let mut lines = (1..)
            .zip(text.lines())
            .filter(|(_, line)| !is_beside(line.trim()))
            // pandas ends the names of a block with `\` where another one follows.
            .map(|(number, line)| {
                (
                    number,
                    value(line).trim_end_matches([' ', '\\']).trim_start_matches(' '),
                )
            })
            .filter(|(_, line)| !line.is_empty())
            .peekable();
        while let Some((number, line)) = lines.next() {
            let next = lines.peek().map_or("", |&(_, next)| next);
            if let Some(factor) = factor(line) {
                table.begin(Vec::new())?.factor = factor;
                continue;
            }
            if is_span(line) {
                table.begin(Vec::new())?;
                continue;
            }
            if table.is_empty() && !line.starts_with('[') {
                table.separator = ['|', '\t', ';', ','].into_iter().find(|&it| line.contains(it));
            }
            let has_brackets = line.contains(BRACKETS);
            if !table.is_names(line, next) {
                table.has_brackets |= has_brackets;
                table.last().rows.push((number, line));
            } else if !has_brackets || line.starts_with("[,") {
                table.begin(table.fields(line).collect())?;
            } else {
                return None;
            }
            if table.has_brackets && table.named == 0 {
                return None;
            }
        }
        Some(table)
    }

    fn is_empty(&self) -> bool {
        self.named == 0 && self.blocks[0].rows.is_empty()
    }

    fn last(&mut self) -> &mut Block<'a> {
        self.blocks.last_mut().expect("a table has a block")
    }

    /// The block of the rows that follow; `None` where they are those of another table.
    fn begin(&mut self, names: Vec<&'a str>) -> Option<&mut Block<'a>> {
        let rows = self.blocks[0].rows.len();
        let last = self.last();
        if !last.rows.is_empty() {
            let factor = last.factor;
            if last.rows.len() != rows || !names.is_empty() && names == self.blocks[0].names {
                return None;
            }
            self.blocks.push(Block {
                factor,
                ..Block::default()
            });
        }
        // A second line of names has the name of the index, or types.
        let known = self.last().names.len();
        if names.len() > known {
            self.named += names.len() - known;
            self.last().names = names;
        }
        Some(self.last())
    }

    /// The fields of a line. Between separators a field may be empty.
    fn fields(&self, line: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
        let separator = self.separator;
        let line = if separator == Some('|') {
            line.trim_matches('|')
        } else {
            line
        };
        line.split(move |c: char| separator.map_or_else(|| c.is_whitespace(), |it| it == c))
            .map(|field| field.trim().trim_matches('"'))
            .filter(move |field| separator.is_some() || !field.is_empty())
    }

    /// Whether a line names the columns of the rows that begin with the next line.
    fn is_names(&self, line: &'a str, next: &'a str) -> bool {
        if self.separator.is_some() && !self.is_empty() || self.fields(line).all(is_dots) {
            return false;
        }
        let mut words = line.split(is_between).filter(|word| !word.is_empty());
        if line.starts_with("[,") || !self.fields(line).any(is_number) && !words.next().is_some_and(is_number)
        {
            // `face cafe` is rather the first of several lines of words in hexadecimal, and a colon ends a sentence.
            let is_hex =
                |field: &str| field.len().is_multiple_of(2) && field.bytes().all(|it| it.is_ascii_hexdigit());
            return !(line.ends_with(':') && line.contains(' '))
                && (next.contains('.') || !self.fields(line).all(is_hex));
        }
        // pandas numbers columns without names.
        let count = |line| self.fields(line).filter(|field| !field.is_empty()).count();
        let begins = |text: &str| self.fields(line).next() == Some(text);
        let label = self.fields(next).next().unwrap_or("");
        let names = || {
            self.fields(line)
                .filter(|field| !is_dots(field))
                .map(str::parse::<usize>)
        };
        let count_up = || {
            (label == "0" || next.contains('.'))
                && names().all(|it| it.is_ok())
                && names().flatten().is_sorted_by(|a, b| a < b)
        };
        (begins("") || begins(&self.named.to_string()) && count_up())
            && !label.is_empty()
            && count(next) == count(line) + 1
    }

    /// How many labels a row begins with; `None` where the names fit neither the rows nor the rows without a label.
    fn labels(&self, block: &Block<'a>) -> Option<usize> {
        let fields = |line| self.fields(line);
        let mut rows = block.rows.iter().map(|&(_, line)| line);
        // A number with a point is no label: the line above is no names then.
        let is_label = |field: &str| !is_number(field) || field.parse::<i64>().is_ok();
        let are_labels = rows.clone().all(|line| fields(line).next().is_none_or(is_label));
        let whole = rows.find(|&line| !fields(line).all(is_dots));
        let width = whole.map_or(0, |line| fields(line).count());
        match block.names.len() {
            0 => Some(usize::from(self.is_series && width > 1)),
            names if names == width => Some(usize::from(block.names[0].is_empty())),
            names if names + 1 == width && are_labels => Some(1),
            _ => None,
        }
    }

    fn in_brackets(&self) -> Option<String> {
        let labels: Vec<usize> = self
            .blocks
            .iter()
            .map(|block| self.labels(block))
            .collect::<Option<_>>()?;
        let first = &self.blocks[0];
        let rows = first.rows.len();
        if self.has_brackets || self.blocks.iter().any(|block| block.rows.len() != rows) {
            return None;
        }
        let fields = |row: usize| {
            let blocks = self.blocks.iter().zip(&labels);
            blocks.flat_map(move |(block, &labels)| {
                let fields = self.fields(block.rows[row].1).skip(labels);
                fields.map(|field| (field, block.factor))
            })
        };
        let is_left_out = |row: usize| self.fields(first.rows[row].1).all(is_dots);
        let mut widths = (0..rows)
            .filter(|&row| !is_left_out(row))
            .map(|row| fields(row).count());
        let width = widths.next().unwrap_or(0);
        let is_matrix = rows > 1 && width > 1 && !self.is_wrapped && widths.all(|other| other == width);
        let [opening, closing] = if is_matrix { ["[", "]"] } else { ["", ""] };
        let mut text = "[".to_owned();
        for row in 0..rows {
            if is_left_out(row) {
                text.push_str("...\n");
                continue;
            }
            text.push_str(opening);
            for (field, factor) in fields(row) {
                text.push_str(field);
                // MATLAB prints a zero without a point.
                if field.contains('.') && !is_dots(field) {
                    text.push_str(factor);
                }
                text.push(' ');
            }
            text.push_str(closing);
            text.push('\n');
        }
        text.push(']');
        Some(text)
    }
}

/// Whether a line has no numbers, and no names of columns either.
fn is_beside(line: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    // Julia's and MATLAB's `3×4 Matrix{Float64}:`, `10-element Vector{Float64}:`, `3x4 single matrix`.
    let has_extents = || {
        let first = line.split(' ').next().unwrap_or("");
        first.starts_with(|c: char| c.is_ascii_digit())
            && (first.contains('×')
                || first.ends_with("-element")
                || [" matrix", " vector"].iter().any(|end| line.ends_with(end)))
    };
    ["#", "//", ">", "julia>"]
        .iter()
        .any(|start| line.starts_with(start))
        || line
            .strip_suffix('=')
            .is_some_and(|name| name.trim_end().chars().all(is_word))
        || !line.contains([',', ';', '\t']) && line.split_whitespace().all(|word| word.contains('='))
        || line.contains("--") && line.chars().all(|c| "|-:+= ".contains(c))
        || line.starts_with('[') && line.ends_with(" columns]")
        || is_end_of_series(line)
        || has_extents()
}

/// Whether a line is the last one of a `Series` that pandas prints.
fn is_end_of_series(line: &str) -> bool {
    ["dtype: ", "Name: ", "Length: ", "Freq: "]
        .iter()
        .any(|start| line.starts_with(start))
        && line.contains("dtype: ")
}

/// The exponent of MATLAB's `1.0e+03 *`.
fn factor(line: &str) -> Option<&str> {
    let exponent = line.strip_suffix('*')?.trim().strip_prefix("1.0")?;
    let number = exponent.strip_prefix('e')?;
    number.parse::<i16>().is_ok().then_some(exponent)
}

/// Whether a line says which columns follow, as MATLAB and Octave print it.
fn is_span(line: &str) -> bool {
    let columns = line
        .strip_prefix("Columns ")
        .or_else(|| line.strip_prefix("Column "));
    let is_word = |c: char| c.is_ascii_alphanumeric() || " :".contains(c);
    columns.is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()) && it.chars().all(is_word))
}

/// Whether a field stands for what is left out.
fn is_dots(field: &str) -> bool {
    field.starts_with("..") || ["…", "⋮", "⋱", "⋯"].contains(&field)
}

/// Whether a field is a number in any language, or a truth value.
fn is_number(field: &str) -> bool {
    let plain = field.trim_end_matches(['u', 'U', 'l', 'L', 'f', 'F']);
    field.parse::<f64>().is_ok()
        || plain.parse::<f64>().is_ok()
        || field.starts_with("0x")
        || truth(field).is_some()
}

#[cfg(test)]
mod tests {
    use crate::Listing;

    /// The extents and the numbers of a text.
    fn read(text: &str) -> (Option<Vec<u64>>, String) {
        let listing = Listing::parse(text);
        (listing.dims, listing.numbers.join(" "))
    }

    #[track_caller]
    fn assert_reads(text: &str, dims: &[u64], numbers: &str) {
        assert_eq!(read(text), (Some(dims.to_vec()), numbers.to_owned()), "{text}");
    }

    #[test]
    fn lines_of_as_many_numbers_are_rows() {
        for text in [
            "0.1 0.2 0.3\n0.4 0.5 0.6\n",
            "0.1,0.2,0.3\n0.4,0.5,0.6",
            "0.1;0.2;0.3\r\n\r\n0.4;0.5;0.6",
            "0.1\t0.2\t0.3\n0.4\t0.5\t0.6",
            "# numpy.savetxt\n 0.1, 0.2, 0.3,\n 0.4, 0.5, 0.6,\n",
            "a,b,c\n0.1,0.2,0.3\n0.4,0.5,0.6",
            "Column 1,Column 2,Column 3\n0.1,0.2,0.3\n0.4,0.5,0.6",
            ",a,b,c\n0,0.1,0.2,0.3\n1,0.4,0.5,0.6",
            ",0,1,2\n0,0.1,0.2,0.3\n1,0.4,0.5,0.6",
            "\"\",\"x\",\"y\",\"z\"\n\"1\",0.1,0.2,0.3\n\"2\",0.4,0.5,0.6",
        ] {
            assert_reads(text, &[2, 3], "0.1 0.2 0.3 0.4 0.5 0.6");
        }
        // One number a line, one line, and lines that a page wraps.
        for text in [
            "0.1\n0.2\n0.3",
            "0.1 0.2 0.3",
            "x\n0.1\n0.2\n0.3",
            "loss:\n0.1\n0.2\n0.3",
            "0.1 0.2\n0.3",
            " [1] 0.1\n [2] 0.2 0.3",
        ] {
            assert_eq!(read(text).1, "0.1 0.2 0.3", "{text}");
            assert!(read(text).0.is_none_or(|dims| dims == [3]), "{text}");
        }
        assert_reads("[1] 0.1 0.2\n[3] 0.3 0.4\n", &[4], "0.1 0.2 0.3 0.4");
        assert_reads("[1]  TRUE FALSE\n", &[2], "1 0");
        assert_reads("0 1 0\n1 1 0", &[2, 3], "0 1 0 1 1 0");
        assert_reads("2 3 5\n7 11 13 17", &[7], "2 3 5 7 11 13 17");
        // The end of a list, whose beginning is lost.
        assert_eq!(read("0.1, 0.2,\n 0.3, 0.4])").1, "0.1 0.2 0.3 0.4");
        // A list of words in hexadecimal has no names.
        assert_reads("face cafe\n1234 5678", &[2, 2], "face cafe 1234 5678");
    }

    #[test]
    fn tables_of_r_are_read_without_their_names() {
        for text in [
            "     [,1] [,2] [,3]\n[1,]  0.1  0.2  0.3\n[2,]  0.4  0.5  0.6\n",
            "  [,1] [,2] [,3]\nx  0.1  0.2  0.3\ny  0.4  0.5  0.6\n",
            "    a   b   c\nx 0.1 0.2 0.3\ny 0.4 0.5 0.6\n",
            "        a   b   c\n[1,]  0.1  0.2  0.3\n[2,]  0.4  0.5  0.6\n",
            "\"a\" \"b\" \"c\"\n\"1\" 0.1 0.2 0.3\n\"2\" 0.4 0.5 0.6\n",
            "     [,1] [,2]\n[1,]  0.1  0.2\n[2,]  0.4  0.5\n     [,3]\n[1,]  0.3\n[2,]  0.6\n",
            "# A tibble: 2 × 3\n      a     b     c\n  <dbl> <dbl> <dbl>\n1   0.1   0.2   0.3\n2   0.4   0.5   0.6\n",
            "[1,] 0.1 0.2 0.3\n[2,] 0.4 0.5 0.6\n",
        ] {
            assert_reads(text, &[2, 3], "0.1 0.2 0.3 0.4 0.5 0.6");
        }
        assert_reads("   a    b \n0.50 0.25 \n", &[2], "0.50 0.25");
        assert_reads(
            "      [,1]  [,2]\n[1,]  TRUE FALSE\n[2,] FALSE  TRUE\n",
            &[2, 2],
            "1 0 0 1",
        );
        // Two matrices, an array of three axes, and texts.
        let matrix = "     [,1] [,2]\n[1,]    1    3\n[2,]    2    4\n";
        for text in [
            format!("{matrix}{matrix}"),
            format!(", , 1\n\n{matrix}\n, , 2\n\n{matrix}"),
            "     [,1] [,2]\n[1,] \"a\"  \"b\"\n".to_owned(),
        ] {
            assert_eq!(read(&text).1, "", "{text}");
        }
    }

    #[test]
    fn tables_of_pandas_are_read_without_their_index() {
        for text in [
            "     a    b    c\n0  0.1  0.2  0.3\n1  0.4  0.5  0.6\n\n[2 rows x 3 columns]",
            "     0    1    2\n8  0.1  0.2  0.3\n9  0.4  0.5  0.6",
            "       a    b    c\nidx               \n0    0.1  0.2  0.3\n1    0.4  0.5  0.6",
            "  a   b   c\n0.1 0.2 0.3\n0.4 0.5 0.6",
            "     0    1  \\\n0  0.1  0.2   \n1  0.4  0.5   \n\n     2  \n0  0.3  \n1  0.6  ",
            "|    |   a |   b |   c |\n|---:|----:|----:|----:|\n|  0 | 0.1 | 0.2 | 0.3 |\n|  1 | 0.4 | 0.5 | 0.6 |",
            ">>> frame.head(2)\nOut[2]: \n     a    b    c\n0  0.1  0.2  0.3\n1  0.4  0.5  0.6",
        ] {
            assert_reads(text, &[2, 3], "0.1 0.2 0.3 0.4 0.5 0.6");
        }
        for end in [
            "dtype: float64",
            "Name: b, dtype: float64",
            "Name: b, Length: 2, dtype: float64",
        ] {
            assert_reads(&format!("0    0.1\n1   -0.2\n{end}"), &[2], "0.1 -0.2");
        }
        // A number with a point is no label, and a sentence is no name.
        assert_eq!(read("x\n0.5 0.25\n").1, "x 0.5 0.25");
        assert_eq!(read("two numbers:\n1 2 3\n").1, "two numbers: 1 2 3");
    }

    #[test]
    fn elements_left_out_of_a_table_have_places() {
        let table = "     0  ...    9\n0  0.1  ...  0.2\n..  ..  ...   ..\n9  0.3  ...  0.4\n\n[10 rows x 10 columns]";
        let series = "0   0.1\n1   0.2\n   ... \n9   0.4\nName: x, Length: 10, dtype: float64";
        for (text, extents, places) in [
            (table, &[10, 10][..], vec![0, 9, 90, 99]),
            (series, &[10], vec![0, 1, 9]),
            (
                "2×9 Matrix{Float64}:\n 0.1  0.2  …  0.3\n 0.4  0.5  …  0.6",
                &[2, 9],
                vec![0, 1, 8, 9, 10, 17],
            ),
            ("9-element Vector{Float64}:\n 0.1\n ⋮\n 0.3", &[9], vec![0, 8]),
        ] {
            let listing = Listing::parse(text);
            assert!(listing.leaves_out, "{text}");
            assert_eq!(listing.places(extents), Ok(places), "{text}");
        }
    }

    #[test]
    fn matrices_of_matlab_and_julia_are_read() {
        for text in [
            "ans =\n\n    0.1    0.2    0.3\n    0.4    0.5    0.6\n",
            ">> x\n\nx =\n\n  2×3 single matrix\n\n    0.1    0.2    0.3\n    0.4    0.5    0.6\n",
            "x =\n\n  Columns 1 through 2\n\n    0.1    0.2\n    0.4    0.5\n\n  Column 3\n\n    0.3\n    0.6\n",
            " Columns 1 and 2:\n\n   0.1   0.2\n   0.4   0.5\n\n Column 3:\n\n   0.3\n   0.6\n",
            "2×3 Matrix{Float64}:\n 0.1  0.2  0.3\n 0.4  0.5  0.6",
            "julia> rand(2, 3)\n2×3 Array{Float64,2}:\n 0.1  0.2  0.3\n 0.4  0.5  0.6",
        ] {
            assert_reads(text, &[2, 3], "0.1 0.2 0.3 0.4 0.5 0.6");
        }
        assert_reads(
            "3-element Vector{Float64}:\n 0.1\n 0.2\n 0.3\n",
            &[3],
            "0.1 0.2 0.3",
        );
        // A factor scales the precision, too. MATLAB prints a zero without a point.
        let scaled = "x =\n\n   1.0e+03 *\n\n    0.0010    1.5000\n         0   -0.2500\n";
        assert_reads(scaled, &[2, 2], "0.0010e+03 1.5000e+03 0 -0.2500e+03");
        let (_, ends) = crate::element(seedproof_ops::Dtype::F64, "1.5000e+03").unwrap();
        assert_eq!(ends, Some([1499.95, 1500.05]));
    }

    #[test]
    fn table_has_its_columns_by_their_names() {
        let columns = |text: &str| super::columns(text).unwrap();
        let column = |name: &str, numbers: &str| (name.to_owned(), numbers.to_owned());
        assert_eq!(
            columns("# run 3\n\nstep,\"noise\"\n0,0.5\n\n1,0.25\n"),
            [column("step", "0\n1\n"), column("noise", "0.5\n0.25\n")]
        );
        assert_eq!(columns("x\n0.5\n0.25\n"), [column("x", "0.5\n0.25\n")]);
        assert_eq!(
            columns(",x\n0,0.5\n1,0.25\n"),
            [column("", "0\n1\n"), column("x", "0.5\n0.25\n")]
        );
        assert_eq!(
            columns("     a    b\n0  0.5  1.5\n\n     c\n0  2.5\n"),
            [column("a", "0.5\n"), column("b", "1.5\n"), column("c", "2.5\n")]
        );
        // Text beside numbers may have brackets.
        assert_eq!(
            columns("who,x=1\na (b),0.5\n"),
            [column("who", "a (b)\n"), column("x=1", "0.5\n")]
        );
        let error = super::columns("a,b\n1,2\n\n3\n").unwrap_err();
        assert!(error.starts_with("expected 2 fields on line 4"), "{error}");
        // Rows, the first of which names nothing.
        for text in [
            "x\n0.5 0.25\n",
            "[0.5, 0.25]\n[1.5, 1.25]",
            "0.5,0.25\n1.5,1.25",
            "all of it\nis prose",
        ] {
            assert!(columns(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn word_that_is_no_number_is_named_with_its_line() {
        let stray = |text: &str| Listing::parse(text).stray(text.as_bytes());
        for (text, word) in [
            (
                "a b\n0 0.5 0.25\n1 0.5 none\n",
                "`none` is not a number, on line 3: `1 0.5 none`",
            ),
            (
                "Mean of x:\n0.5\n",
                "`Mean` is not a number, on line 1: `Mean of x:`",
            ),
        ] {
            let sentence = stray(text).unwrap();
            assert!(sentence.starts_with(word), "{sentence}");
        }
        for text in ["", "0.5 0.25", "1f 2e beef"] {
            assert_eq!(stray(text), None, "{text}");
        }
    }
}
