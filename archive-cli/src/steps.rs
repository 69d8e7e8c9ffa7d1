//! Counts the steps of searches, so that tests can measure their growth.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts a step, in tests.
#[inline(always)]
pub fn step() {
    #[cfg(test)]
    STEPS.set(STEPS.get() + 1);
}

/// Returns how many steps a function takes.
#[cfg(test)]
pub fn steps_of(run: impl FnOnce()) -> u64 {
    let before = STEPS.get();
    run();
    STEPS.get() - before
}
