
/// Returns whether the fault of that number is switched on.
#[doc(hidden)]
pub fn fault(number: u32) -> bool {
    static ON: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    let read = || std::env::var("FAULT").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    *ON.get_or_init(read) == number
}

// Reading the variable allocates, and some tests count what they allocate. So it is read before `main`.
#[allow(unsafe_code)]
#[used]
#[cfg_attr(target_os = "linux", unsafe(link_section = ".init_array"))]
static READ_FIRST: extern "C" fn() = {
    extern "C" fn read() {
        fault(0);
    }
    read
};
