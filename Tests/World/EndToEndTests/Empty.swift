// Filled by the first test.
