//! Theory as a test: whole points on the simulated device, where the right answer is known.

use std::time::Duration;

use fathom::dispatch::{self, Device, Outcome, PointSpec, Stop, Times};
use fathom::engine::sim::Model;
use fathom::host::Probe;
use fathom::pattern::{Access, Align, Data, Line};
use fathom::unit::{Bytes, Percent, QueueDepth, Seed, Span, TransferSize};

fn line(size: u64, share: f64) -> Line {
    Line {
        size: TransferSize::try_from(size).unwrap(),
        share: Percent::try_from(share).unwrap(),
        read: Percent::try_from(80.0).unwrap(),
        random: Percent::HUNDRED,
        align: Align::Natural,
        burst: 1,
        delay: Duration::ZERO,
    }
}

fn simulate(words: &str, depth: u64, run_time: Duration) -> Outcome {
    let model = Model::parse(words).unwrap();
    let geometry = model.geometry();
    let spec = PointSpec {
        device: Device::Simulated(model),
        access: Access { lines: vec![line(4096, 60.0), line(65536, 40.0)], data: Data::Random },
        geometry,
        span: Span { start: Bytes(0), length: geometry.size },
        queue_depth: QueueDepth::try_from(depth).unwrap(),
        workers: 1,
        wait_for: 1,
        times: Times { ramp_up: Duration::from_secs(1), run_time, drain: Duration::from_secs(30) },
        seed: Seed(1),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(dispatch::run(&spec, &Probe::default(), &mut Stop::never(), |_| ())).unwrap()
}

#[test]
fn throughput_is_depth_or_channels_over_service() {
    for depth in [1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 1024] {
        let seconds = 5;
        let run_time = Duration::from_secs(seconds);
        let outcome = simulate("exact,channels=8,service=100us", depth, run_time);
        let expected = depth.min(8) * 10_000 * seconds;
        assert!(outcome.measurement.ios().abs_diff(expected) <= 8, "{depth}: {outcome:?}");
        assert_eq!(outcome.run_time, run_time);
        let mean = outcome.measurement.mean_latency().unwrap().0;
        let theory = 100_000 * depth.max(8) / 8;
        assert!(mean.abs_diff(theory) * 1000 <= theory, "{depth}: {mean} for {theory}");
        let held = outcome.measurement.mean_depth(run_time);
        assert!((held - depth as f64).abs() < 1e-9, "{depth}: {held}");
    }
}
