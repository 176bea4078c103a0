// Filled by the first test of this module.
