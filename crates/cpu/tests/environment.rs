//! The floating-point environment of a host changes no bit, also on the threads of the pool.

use std::hint::black_box;

use seedproof_cpu::{Cpu, Generator, Level, Philox, Plan};
use seedproof_ops::{Backend as _, Dtype, Environment, Limits, Multinomial, Request, Shape, Tensor};

#[test]
fn environment_of_a_host_changes_no_bit() {
    // Products and sums of subnormals, and results that round both ways; enough to be split over threads.
    let numbers = |level| {
        let generator = Generator::Philox(Philox::from_seeds(1, 2));
        let mut small = vec![0.0_f32; 3 << 19];
        let plan = Plan::new(level, generator, 0.0, f32::MIN_POSITIVE).unwrap();
        plan.fill(&mut small);
        let mut wide = vec![0.0_f64; 1000];
        let plan = Plan::new(level, generator, -0.1, 0.7).unwrap();
        plan.fill(&mut wide);
        let small: Vec<u32> = small.into_iter().map(f32::to_bits).collect();
        let wide: Vec<u64> = wide.into_iter().map(f64::to_bits).collect();
        (small, wide)
    };
    let classes = |level| {
        let weights: Vec<f64> = (1..200_u64).map(f64::from_bits).collect();
        let request = Request::Multinomial(Multinomial {
            probs: Tensor::from_elements(Shape::new(&[1, 199]).unwrap(), &weights).unwrap(),
            num_samples: Tensor::scalar(100_i32),
            draws: None,
            convert_type: Dtype::I32.into(),
            with_replacement: false,
            log_probs: false,
            global_seed: 5,
            op_seed: 6,
            execution: 0,
        });
        Cpu::new(level, Limits::default(), || 0).run(&request)
    };
    for level in Level::detect() {
        let expected = (numbers(level), classes(level).unwrap());
        assert!(expected.0.0.iter().any(|&bits| bits > 0 && bits < 0x0080_0000));
        for (name, host) in Environment::hosts() {
            let found = host.during(|| (numbers(level), classes(level).unwrap()));
            assert!(found == expected, "{} {name}", level.name());
        }
    }
}

/// A thread takes over the environment of the one that started it.
#[test]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn environment_of_a_hosts_threads_changes_no_bit() {
    let flushes = || black_box(f32::MIN_POSITIVE) * black_box(0.5) == 0.0;
    let fill = || {
        let generator = Generator::Philox(Philox::from_seeds(1, 2));
        let mut small = vec![0.0_f32; 3 << 19];
        let plan = Plan::new(Level::best(), generator, 0.0, f32::MIN_POSITIVE).unwrap();
        plan.fill(&mut small);
        small.into_iter().map(f32::to_bits).collect::<Vec<_>>()
    };
    let expected = fill();
    let pool = || rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let (_, flushing) = Environment::hosts()[0];
    let pool = flushing.during(pool);
    assert!(pool.install(flushes), "the threads are the host's");
    assert!(pool.install(fill) == expected);
}
