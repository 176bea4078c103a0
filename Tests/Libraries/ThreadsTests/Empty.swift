/// The tests of Threads.
