//! A worker's window of outstanding requests: what to submit, what to wait for, what to record.
//!
//! It makes no system call and takes the time as an argument, so that a real ring and a simulated
//! device drive the same object. The worker's processor time comes from a meter that is handed in
//! and asked twice a point. Nothing in a turn allocates, locks or formats.

mod busy;
mod trouble;

use std::sync::Arc;
use std::time::Duration;

use crate::access::{Request, Source};
use crate::engine::{Completion, Engine, Slot, Transfer, Wait};
use crate::measure::{Ending, Errno, Measurement};
use crate::payload::Payload;
use crate::unit::{Percent, Tick};

use super::control::{Control, Live};
use super::{HASTE, Times};
use busy::Busy;
pub(super) use busy::Meter;

/// The longest single wait: within it a worker hears a stop.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// A target that lands nothing for this long while requests are in flight does not answer.
const SILENCE: Duration = Duration::from_secs(60);

/// What a worker does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// Wait for completions.
    Wait(Wait),
    /// Everything has landed, or was given up.
    Finished,
}

/// What a window is made of.
#[derive(Debug)]
pub(super) struct Parts {
    /// Where requests come from.
    pub(super) source: Source,
    /// Their memory.
    pub(super) payload: Payload,
    /// Where completions go.
    pub(super) measurement: Measurement,
    /// Requests kept in flight.
    pub(super) depth: u16,
    /// Completions that a wait asks for.
    pub(super) wait_for: u16,
    /// Sizes must stay multiples of this when the rest of a transfer is issued.
    pub(super) block: u32,
    /// The phases.
    pub(super) times: Times,
    /// Shared with the dispatcher.
    pub(super) control: Arc<Control>,
    /// What tells the processor time of the worker; none where time is virtual.
    pub(super) meter: Option<Meter>,
}

/// One request in flight.
#[derive(Debug, Clone, Copy)]
struct Flight {
    request: Request,
    transfer: Option<Transfer>,
    issued: Tick,
    tries: u8,
}

/// A worker's requests in flight and what became of them.
#[derive(Debug)]
pub(super) struct Window {
    parts: Parts,
    flights: Vec<Flight>,
    free: Vec<Slot>,
    /// Drawn since the last turn: stamped together when the turn submits them.
    fresh: Vec<Slot>,
    /// To be issued again.
    again: Vec<Slot>,
    in_flight: u32,
    start: Tick,
    run: (Tick, Tick),
    give_up: Tick,
    ending: Option<Ending>,
    /// Whether a stop was heard while draining.
    hastened: bool,
    integrated: Tick,
    landed: Tick,
    succeeded: Tick,
    second: (usize, Tick),
    failures: u32,
    live: Live,
    publish: Tick,
    busy: Busy,
}

impl Window {
    /// A window whose first turn is at `start`.
    pub(super) fn new(parts: Parts, start: Tick) -> Self {
        let depth = usize::from(parts.depth);
        let none = Request {
            op: crate::unit::Op::Read,
            offset: 0,
            size: 0,
            line: 0,
            order: crate::unit::Order::Random,
            first_of_burst: false,
        };
        let idle = Flight { request: none, transfer: None, issued: Tick::NEVER, tries: 0 };
        let run_start = start + parts.times.ramp_up;
        Self {
            flights: vec![idle; depth],
            free: (0..parts.depth).rev().map(Slot).collect(),
            fresh: Vec::with_capacity(depth),
            again: Vec::with_capacity(depth),
            in_flight: 0,
            start,
            run: (run_start, run_start + parts.times.run_time),
            give_up: Tick::NEVER,
            ending: None,
            hastened: false,
            integrated: start,
            landed: start,
            succeeded: start,
            second: (0, start + first_second(parts.times.ramp_up)),
            failures: 0,
            live: Live::default(),
            publish: start,
            busy: Busy::new(parts.meter),
            parts,
        }
    }

    /// Draws requests until the depth is full and queues them.
    #[inline]
    pub(super) fn fill<E: Engine>(&mut self, now: Tick, engine: &mut E) {
        while let Some(slot) = self.again.pop() {
            if let Some(transfer) = self.flights[slot.index()].transfer {
                engine.submit(slot, transfer);
            }
        }
        if self.ending.is_some() || self.run.1 <= now {
            return;
        }
        while let Some(&slot) = self.free.last() {
            let Some(request) = self.parts.source.next(now) else { return };
            self.free.pop();
            let (op, offset, size) = (request.op, request.offset, request.size);
            let buffer = self.parts.payload.prepare(slot.0, op, offset, size);
            let transfer = Transfer { op, offset, size, buffer };
            engine.submit(slot, transfer);
            let transfer = Some(transfer);
            self.flights[slot.index()] = Flight { request, transfer, issued: now, tries: 1 };
            self.fresh.push(slot);
        }
    }

    /// Stamps what this turn submits, moves the phases on, and says how long to wait.
    #[inline]
    pub(super) fn turn(&mut self, issued: Tick) -> Turn {
        self.integrate(issued);
        let recorded = self.records(issued);
        if self.in_flight == 0 {
            // Nothing was asked while a burst was paused, so nothing is owed since.
            self.landed = issued;
        }
        while let Some(slot) = self.fresh.pop() {
            let flight = &mut self.flights[slot.index()];
            flight.issued = issued;
            if recorded {
                let Request { line, op, order, first_of_burst, .. } = flight.request;
                self.parts.measurement.mix.issue(usize::from(line), op, order);
                if first_of_burst {
                    self.parts.measurement.mix.draw(usize::from(line));
                }
            }
            self.in_flight += 1;
        }
        assert_eq!(
            self.in_flight as usize + self.free.len(),
            self.flights.len(),
            "every slot is either free or in flight"
        );
        if issued >= self.publish {
            self.publish(issued);
        }
        self.advance(issued);
        if self.ending.is_some() && (self.in_flight == 0 || self.give_up <= issued) {
            return Turn::Finished;
        }
        Turn::Wait(self.wait(issued))
    }

    /// Takes one completion.
    #[inline]
    pub(super) fn settle(&mut self, now: Tick, completion: Completion) {
        if now != self.integrated {
            self.integrate(now);
            self.landed = now;
            while self.second.1 <= now {
                self.second = (self.second.0 + 1, self.second.1 + Duration::from_secs(1));
                self.parts.measurement.series.enter(self.second.0);
            }
        }
        let slot = completion.slot;
        let left = self.flights[slot.index()].transfer.map_or(0, |transfer| transfer.size);
        match completion.result {
            Ok(moved) if moved == left => self.land(now, slot),
            Ok(moved) => self.fall_short(now, slot, moved),
            Err(Errno::AGAIN) => self.retry_or_fail(now, slot, Errno::AGAIN),
            Err(errno) => self.fail(now, slot, errno),
        }
    }

    /// Whether an instant lies in the run time.
    #[inline]
    fn records(&self, now: Tick) -> bool {
        self.run.0 <= now && now < self.run.1
    }

    /// Counts a request whose last byte has moved.
    #[inline]
    fn land(&mut self, now: Tick, slot: Slot) {
        let flight = &self.flights[slot.index()];
        let latency = now.nanos().saturating_sub(flight.issued.nanos());
        let (op, size) = (flight.request.op, flight.request.size);
        if self.records(now) {
            self.parts.measurement.record(op, size, latency);
        }
        self.parts.measurement.series.record(op, size, latency);
        self.live.ios += 1;
        self.live.bytes += u64::from(size);
        self.live.latency_ns += latency;
        self.failures = 0;
        self.succeeded = now;
        self.release(slot);
    }

    #[inline]
    fn release(&mut self, slot: Slot) {
        self.flights[slot.index()].transfer = None;
        self.free.push(slot);
        self.in_flight -= 1;
    }

    /// Adds the time since the last change of the requests in flight, as far as it was recorded.
    #[inline]
    fn integrate(&mut self, now: Tick) {
        let from = self.integrated.max(self.run.0);
        let to = now.min(self.run.1);
        if from < to {
            let time = to.nanos() - from.nanos();
            self.parts.measurement.depth_integral_ns +=
                u128::from(time * u64::from(self.in_flight));
        }
        self.integrated = now;
    }

    /// Moves the phases on.
    #[inline]
    fn advance(&mut self, now: Tick) {
        if self.ending.is_some() {
            if self.parts.control.stopped() && !self.hastened {
                self.hastened = true;
                self.give_up = self.give_up.min(now + HASTE);
            }
            return;
        }
        if self.run.1 <= now {
            let gone = self.fails_at_length();
            self.ending = Some(if gone { Ending::Gone } else { Ending::Complete });
            self.busy.end(now);
            self.parts.measurement.in_flight_at_end = self.in_flight;
            self.give_up = now + self.parts.times.drain;
        } else if self.parts.control.stopped() {
            self.end(now, Ending::Stopped);
        } else if self.in_flight > 0 && self.landed + SILENCE < now {
            self.end(now, Ending::Silent);
        }
    }

    /// Ends the run time before it has passed.
    #[cold]
    fn end(&mut self, now: Tick, ending: Ending) {
        if self.ending.is_none() {
            self.ending = Some(ending);
            self.busy.end(now);
            self.run.1 = self.run.1.min(now);
            self.parts.measurement.in_flight_at_end = self.in_flight;
            let patience = if ending == Ending::Silent { Duration::ZERO } else { HASTE };
            self.give_up = now + patience;
        }
    }

    /// How long to wait: until enough has landed, the phase changes or a burst is due.
    #[inline]
    fn wait(&self, now: Tick) -> Wait {
        let mut until = match self.ending {
            Some(_) => self.give_up,
            None if now < self.run.0 => self.run.0,
            None => self.run.1,
        };
        if self.ending.is_none() && !self.free.is_empty() {
            until = until.min(self.parts.source.due().max(now));
        }
        let at_least = u32::from(self.parts.wait_for).min(self.in_flight).max(1);
        // Nearly always; and a `Duration` costs a division.
        let far = now + LONGEST_WAIT <= until;
        Wait { at_least, at_most: if far { LONGEST_WAIT } else { until - now } }
    }

    #[cold]
    fn publish(&mut self, now: Tick) {
        self.publish = now + LONGEST_WAIT;
        if now < self.run.0 {
            // The first turn of the run time comes here too.
            self.publish = self.publish.min(self.run.0);
        } else {
            self.busy.begin(now);
        }
        self.live.in_flight = u64::from(self.in_flight);
        self.live.elapsed_ns = now.nanos() - self.start.nanos();
        self.parts.control.publish(&self.live);
    }

    /// Lets go of a window whose engine broke: requests may still be in flight on its memory.
    pub(super) fn abandon(mut self) {
        self.parts.payload.keep();
    }

    /// What the worker's share of the point came to, and its memory, which is kept where a device
    /// still holds it.
    pub(super) fn finish(mut self, now: Tick) -> (Share, Payload) {
        self.publish(now);
        let run_time = self.run.1 - self.run.0;
        let mut measurement = self.parts.measurement;
        measurement.outstanding = self.in_flight;
        if self.in_flight > 0 {
            let held = self.flights.iter().filter(|flight| flight.transfer.is_some());
            let oldest = held.map(|flight| flight.issued).min().unwrap_or(now);
            measurement.oldest_ns = now.nanos().saturating_sub(oldest.nanos());
            self.parts.payload.keep();
        }
        // What landed in this very instant is the first of a new second.
        let first = first_second(self.parts.times.ramp_up);
        let after = (now - self.start).checked_sub(first);
        let seconds = after.map_or(1, |after| after.as_nanos() / 1_000_000_000 + 2);
        measurement.series.finish(usize::try_from(seconds).unwrap_or(usize::MAX));
        let ending = match self.ending {
            // Not one request of the last second was answered, nor after it.
            Some(Ending::Complete)
                if self.in_flight > 0 && self.landed + Duration::from_secs(1) < self.run.1 =>
            {
                Ending::Silent
            }
            ending => ending.unwrap_or(Ending::Stopped),
        };
        let share = Share { measurement, ending, run_time, busy: self.busy.share() };
        (share, self.parts.payload)
    }
}

/// How long the first second of the series lasts: what a ramp-up has beyond whole seconds, so that
/// the run time begins with a second of its own.
fn first_second(ramp_up: Duration) -> Duration {
    match ramp_up.subsec_nanos() {
        0 => Duration::from_secs(1),
        nanos => Duration::from_nanos(nanos.into()),
    }
}

/// One worker's share of a point.
#[derive(Debug)]
pub(super) struct Share {
    /// What happened.
    pub(super) measurement: Measurement,
    /// Why it ended.
    pub(super) ending: Ending,
    /// The run time that really passed; shorter than asked where the point ended early.
    pub(super) run_time: Duration,
    /// The share of it that the worker was on a processor; `None` where that is not known.
    pub(super) busy: Option<Percent>,
}
