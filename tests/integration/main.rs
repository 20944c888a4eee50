mod bad_input;
mod command;
mod mutations;
mod outputs;
mod program;
