/// The tests of Files.
