//! The crates `rand_mt` and `rand_philox`, for `words_adapter.py`. The argument says which.

use std::io::{BufRead, Write};

use rand_mt::Mt;
use rand_philox::Philox;

fn main() -> std::io::Result<()> {
    let is_philox = std::env::args().nth(1).as_deref() == Some("philox");
    let mut output = std::io::stdout().lock();
    let hello = if is_philox {
        "rand_philox 0.2.1 philox"
    } else {
        "rand_mt 6.1.0 mt19937"
    };
    writeln!(output, "{hello}")?;
    output.flush()?;
    let (mut twister, mut philox) = (Mt::new(0), Philox::new([0, 0], 0));
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let mut fields = line.split(' ');
        let verb = fields.next().unwrap_or_default();
        let mut number = || {
            fields
                .next()
                .and_then(|field| field.parse::<u128>().ok())
                .unwrap_or(0)
        };
        if verb == "seed" && is_philox {
            let (key, counter) = (number(), number());
            philox = Philox::new([key as u32, (key >> 32) as u32], counter);
        } else if verb == "seed" {
            twister = Mt::new(number() as u32);
        } else {
            for _ in 0..number() {
                let word = if is_philox {
                    philox.next_u32()
                } else {
                    twister.next_u32()
                };
                output.write_all(&word.to_le_bytes())?;
            }
            output.flush()?;
        }
    }
    Ok(())
}
