# Builds the program for the CPU it is built on, the way OpenBench asks for it: `make EXE=NAME`.

EXE ?= tropism-native
FOLDER := target/native

ifeq ($(OS),Windows_NT)
SUFFIX := .exe
endif

export RUSTFLAGS := $(RUSTFLAGS) -C target-cpu=native

.PHONY: all bench
all:
	cargo build --locked --release --bin tropism --target-dir $(FOLDER)
	cp $(FOLDER)/release/tropism$(SUFFIX) $(EXE:.exe=)$(SUFFIX)

bench: all
	./$(EXE:.exe=)$(SUFFIX) bench
