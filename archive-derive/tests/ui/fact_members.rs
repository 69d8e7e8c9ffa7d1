//! Facts that a member cannot have, in `members!`.

struct Wordy {
    words: Vec<String>,
}

archive::members!(Wordy {
    #[archive(multiline)]
    words,
});

struct Named {
    name: String,
}

archive::members!(Named {
    #[archive(range = 0..=1)]
    name,
});

struct Still {
    speed: f32,
}

archive::members!(Still {
    #[archive(range = 1..=0)]
    speed,
});

struct Slow {
    speed: f32,
}

archive::members!(Slow {
    #[archive(step = 0)]
    speed,
});

struct Gray {
    gray: f32,
}

archive::members!(Gray {
    #[archive(color)]
    gray,
});

fn main() {}
