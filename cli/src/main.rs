//! The `selfsame` command.

fn main() -> ! {
    selfsame_cli::leaving::leave(selfsame_cli::session::run(std::env::args_os()))
}
