//! PyTorch normal_ on a CPU: a contiguous tensor filled from MT19937, as the plain C++ of its kernel does.
//!
//! Source: `aten/src/ATen/native/cpu/DistributionTemplates.h` and `aten/src/ATen/core/DistributionsHelper.h`. One wheel has
//! two answers, by the processor: with AVX2 its kernel is another, by hand, with Cephes' functions ([`crate::cephes`]).
//! `spec` is the plain one.

use seedproof_ops::{Dtype, Elements, Failure, Limits, Response, Shape, Stages, TorchNormal};
use seedproof_transcend::glibc;

use crate::tensorflow_normal::{narrow, narrowed, negative, only_f32, output_type, parameter};
use crate::{convert, mt19937};

/// How many elements the kernel makes at a time. Shorter outputs are made one by one.
const SIZE: usize = 16;

/// A valid request.
pub struct Plan {
    dtype: Dtype,
    shape: Shape,
    seed: u64,
    mean: f64,
    std: f64,
    execution: usize,
}

impl Plan {
    /// The plan for a request.
    ///
    /// `[ptn.std]`: the standard deviation is zero or more.
    ///
    /// Erratum `ptn.std.nan`.
    ///
    /// # Errors
    /// [`Failure::Rejected`] for an invalid request; [`Failure::Unsupported`] for f64, and for an output that is over the
    /// limit together with those of the executions before it.
    pub fn new(request: &TorchNormal, limits: Limits) -> Result<Self, Failure> {
        let dtype = output_type(&request.output_type)?;
        let mean = parameter("mean", &request.mean)?;
        let std = parameter("std", &request.std)?;
        if std < 0.0 || std.is_nan() {
            return Err(negative::<Self>(std).err().expect("a refusal").into());
        }
        only_f32(dtype)?;
        let shape = limits.shape(dtype, &request.output_sizes)?;
        let count = u64::try_from(shape.count()).expect("a machine counts in 64 bits at most");
        limits.shape(dtype, &[count, u64::from(request.execution) + 1])?;
        Ok(Self {
            dtype,
            shape,
            seed: request.seed,
            mean,
            std,
            execution: usize::try_from(request.execution).unwrap_or(usize::MAX),
        })
    }

    /// The op's output.
    ///
    /// `[ptn.scale.single]`: a single normal is scaled in double, product and sum rounded apart, and then rounded to f32 and to
    /// the type.
    ///
    /// # Errors
    /// [`Failure::Broken`] if there is no memory for it.
    pub fn run(&self, _entropy: u64) -> Result<Response, Failure> {
        let mut elements = Elements::reserve(self.dtype, &self.shape)?;
        if self.shape.count() < SIZE {
            let before = self.execution * self.shape.count();
            for normal in samples(mt19937::words(self.seed))
                .skip(before)
                .take(self.shape.count())
            {
                elements.push_bits(narrowed(self.dtype, narrow(normal * self.std + self.mean)));
            }
        } else {
            let (mean, std) = (narrow(self.mean), narrow(self.std));
            for block in self.blocks() {
                for value in block.normals(mean, std) {
                    elements.push_bits(narrowed(self.dtype, value));
                }
            }
        }
        Ok(Response::of(elements.into_tensor()))
    }

    /// The words and the output, where each element has a word of its own.
    pub fn stages(&self) -> Option<Stages> {
        if self.shape.count() < SIZE {
            return None;
        }
        Some(Stages {
            words: self.blocks().iter().flat_map(Block::words).copied().collect(),
            words_per_element: 1,
            words_per_block: 1,
            counters: Vec::new(),
            unit: None,
            scaled: self.run(0).ok()?.output,
        })
    }

    /// `[ptn.blocks]`: f32 draws a word for each element, 16 of which make 16 normals. `[ptn.tail]`: where the size is no
    /// multiple of 16, the last 16 elements are made once more, of 16 new words. `[ptn.halves]`: f16 and bf16 draw whole
    /// blocks alone, and no word for the elements past the last one.
    ///
    /// Errata `ptn.tail.redrawn` and `ptn.halves.words`.
    fn blocks(&self) -> Vec<Block> {
        let count = self.shape.count();
        let tail = count % SIZE;
        let drawn = if self.dtype == Dtype::F32 {
            count
        } else {
            count - tail
        };
        let each = if tail == 0 { drawn } else { drawn + SIZE };
        let mut words = mt19937::words(self.seed).skip(self.execution * each);
        let body: Vec<u32> = words.by_ref().take(drawn).collect();
        let mut blocks: Vec<Block> = body
            .as_chunks()
            .0
            .iter()
            .map(|&words| Block { words, taken: SIZE })
            .collect();
        if tail > 0 {
            // The tail overlaps the last whole block, of which only the beginning is left.
            if let Some(last) = blocks.last_mut() {
                last.taken = tail;
            }
            let new: Vec<u32> = words.take(SIZE).collect();
            let words = *new.first_chunk().expect("the generator has no end");
            blocks.push(Block { words, taken: SIZE });
        }
        blocks
    }
}

/// The words of 16 normals, and how many of them stay.
struct Block {
    words: [u32; SIZE],
    taken: usize,
}

impl Block {
    fn words(&self) -> &[u32] {
        &self.words[..self.taken]
    }

    /// `[ptn.uniform]`: the low 24 bits of a word as a number in `[0, 1)`. `[ptn.box-muller]`: the first eight, taken from
    /// one, make radii, and the last eight angles, 2 pi times them in double, rounded to f32; the eight cosines come before the
    /// eight sines. `[ptn.scale]`: the radius times it is multiplied by the standard deviation and added to the mean in one
    /// rounding, all in f32.
    ///
    /// Errata `ptn.box-muller.complement`, `ptn.box-muller.capability` and `ptn.scale.fused`.
    fn normals(&self, mean: f32, std: f32) -> impl Iterator<Item = f32> {
        let data = self.words.map(convert::f32::pytorch);
        let mut normals = [0.0; SIZE];
        for j in 0..SIZE / 2 {
            let u1 = 1.0 - data[j];
            let u2 = data[j + SIZE / 2];
            let radius = (-2.0 * glibc::logf(u1)).sqrt();
            let theta = narrow(std::f64::consts::TAU * f64::from(u2));
            normals[j] = (radius * glibc::cosf(theta)).mul_add(std, mean);
            normals[j + SIZE / 2] = (radius * glibc::sinf(theta)).mul_add(std, mean);
        }
        normals.into_iter().take(self.taken)
    }
}

/// `[ptn.single]`: fewer than 16 elements are made one by one, in double: of two uniforms of 53 bits, the first makes the
/// angle and the second the radius. `[ptn.cache]`: the cosine comes first, and the sine is kept for the next element, of a
/// later execution too.
///
/// Erratum `ptn.cache.owner`.
fn samples(mut words: impl Iterator<Item = u32>) -> impl Iterator<Item = f64> {
    let mut uniform = move || {
        let mut next = || words.next().expect("the generator has no end");
        let first = next();
        convert::f64::pytorch(first, next())
    };
    std::iter::repeat_with(move || {
        let (u1, u2) = (uniform(), uniform());
        let radius = (-2.0 * libm::log1p(-u2)).sqrt();
        let theta = std::f64::consts::TAU * u1;
        [radius * libm::cos(theta), radius * libm::sin(theta)]
    })
    .flatten()
}
