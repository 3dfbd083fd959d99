//! Figures captured from real implementations, a few for each reading.

use seedproof_ops::{Alignment, Dtype, Request, Tensor, TorchNormal};

use super::first;
use crate::requests::uniform;

/// Reading, alignment, type, minval, maxval, global_seed, op_seed, and the first elements. The ranges are
/// such that fused scales, ranges in f32, and OpenVINO's roundings show.
const FIGURES: &str = "\
openvino-core-2026.4 Tensorflow f16 c29a 564b 4294967303 3 4824 508a 544e 4d7f 5511 54a0
openvino-core-2026.4 Tensorflow bf16 c316 4348 0 1 42e4 c20c 4298 431c c288 4314
openvino-core-2026.4 Tensorflow f16 00a8 01f7 18446744073709551615 18446744073709551615 01a6 01e9 01f1 01d3 00e9 00e1
openvino-core-2026.4 Tensorflow f16 bc00 3c00 1099511627777 2199023255555 3170 b88c 33f0 3760
openvino-core-2026.4 Pytorch f16 3c00 4000 1 0 3e12 3c76 3fc6 3e24
openvino-core-2026.4 Pytorch bf16 3f80 4000 4978 5164 3fba 3fab 3f94 3f9e
openvino-core-2026.4 Tensorflow bf16 bf80 3f80 18446744073709551615 18446744073709551615 bf64 3eb0 3f34 bf3c
openvino-cpu-2026.4 Tensorflow f32 c0533333 42c96666 1 0 42a270dc 409be57e 42b2dede 4164d72e
openvino-cpu-2026.4 Pytorch f16 d8b0 5a40 4978 5164 5527 d5d4 cd9a d4da
openvino-cpu-2026.4 Pytorch f64 4000000000000000 4024000000000000 42 42 40221dc660000000 4022a3db40000000 4014406b80000000 40235950e0000000
openvino-cpu-2026.4-f16 Tensorflow f16 00a8 01f7 18446744073709551615 18446744073709551615 01a6 01e9 01f1 01d3
openvino-cpu-2026.4-f16 Pytorch f16 bc00 3c00 4294967303 3 baa2 3220 b79c b814
openvino-cpu-2026.4-avx2 Tensorflow bf16 c053 42c9 5 7 422c 4274 41bc 41df
openvino-cpu-2026.4-avx2 Pytorch bf16 c053 42c9 5 7 42a6 411c 42b6 42a4
openvino-cpu-2026.4-avx2 Tensorflow bf16 0000 7f80 5 7 7ee5 7f1e 7e84 7e9a
openvino-cpu-2026.4-avx2 Pytorch bf16 ff80 7f80 5 7 7f80 7f80 7f80 7f80
torch-1.13 Pytorch f32 bdcccccd 3e99999a 80 0 3e13a118 bd7c481a bda57453 3deb4f70
torch-1.13-nofma Pytorch f32 bdcccccd 3e99999a 80 0 3e13a118 bd7c481a bda57453 3deb4f71
torch-1.13 Pytorch f16 67ff 6800 80 0 6800 6800 67ff 67ff
torch-1.13 Pytorch i64 0 268435456 80 0 94127279 219714748 51137446 126453971
torch-2.12 Pytorch f32 bdcccccd 3e99999a 80 0 3e13a118 bd7c481a bda57453 3deb4f70
torch-2.12-nofma Pytorch f32 bdcccccd 3e99999a 80 0 3e13a118 bd7c481a bda57453 3deb4f71
torch-2.12 Pytorch f16 3c00 4000 0 0 3dfc 3f13 3c5b 3c87 3d3b 3e89
torch-2.12 Pytorch i64 0 268435456 80 0 219714748 126453971 129317682 205888982
torch-2.7 Pytorch i64 0 4294967295 150 0 3609484959 3600756244 1360136995 378155617
torch-2.7 Pytorch i32 0 268435456 4294967295 0 210911522 830535 113049152 88539642
tensorflow-2.21 Tensorflow f16 4000 4900 150 10 46d6 483a 4854 4512
";

#[test]
fn named_readings_give_the_captured_figures() {
    for line in FIGURES.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [
            name,
            alignment,
            dtype,
            minval,
            maxval,
            global_seed,
            op_seed,
            expected @ ..,
        ] = words.as_slice()
        else {
            panic!("{line}");
        };
        let alignment = match *alignment {
            "Tensorflow" => Alignment::Tensorflow,
            _ => Alignment::Pytorch,
        };
        let dtype: Dtype = dtype.parse().unwrap();
        let seeds = [global_seed, op_seed].map(|seed| seed.parse().unwrap());
        let count = expected.len();
        let request = uniform(
            alignment,
            dtype,
            i64::try_from(count).unwrap(),
            [minval, maxval],
            seeds,
        );
        assert_eq!(first(name, &request, count), expected.join(" "), "{line}");
    }
}

/// Normals of a mean of 0.3 and a deviation of 2.7 from seed 7, seventeen of them, so that a tail is drawn again. PyTorch makes
/// 16-bit types in other steps up to 2.11, and in yet others where f16 has no functions of its own.
const HALVES: &str = "\
torch-1.13 f16 b3f2 34bc c257 c636 4166 c3e7 4509 ac12 c154 c13a b816 44e9 413a 3313 c3da bdad aeb6
torch-1.13 bf16 c015 4069 bf43 3fc8 4019 408c 4048 3c20 400e 3e9a 4083 40bf bd08 3f68 3fdc c040 4077
torch-2.3 f16 b3f2 34bc c256 c634 4165 c3e6 450a ac14 c153 c139 b816 44e9 413a 3313 c3da bdad aeb8
torch-2.7 f16 b3f2 34bc c256 c634 4165 c3e6 450a ac14 c153 c139 b816 44e9 413a 3313 c3da bdad aeb8
torch-2.7 bf16 c015 4069 bf43 3fc8 4019 408c 4048 3c20 400e 3e9a 4083 40bf bd08 3f68 3fdc c040 4077
";

#[test]
fn halves_are_normals_as_they_were_captured() {
    for line in HALVES.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, dtype, expected @ ..] = words.as_slice() else {
            panic!("{line}");
        };
        let dtype: Dtype = dtype.parse().unwrap();
        let request = Request::TorchNormal(TorchNormal {
            output_type: dtype.into(),
            output_sizes: vec![17],
            seed: 7,
            mean: Tensor::scalar(0.3),
            std: Tensor::scalar(2.7),
            execution: 0,
        });
        for name in [(*name).to_owned(), format!("{name}-nofma")] {
            assert_eq!(first(&name, &request, 17), expected.join(" "), "{line}");
        }
    }
}
