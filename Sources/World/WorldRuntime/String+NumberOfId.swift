extension String {
    /// The number after the letter of an id such as `d17`; 0 where there is none that can be counted on from.
    var numberOfId: Int {
        let number = Int(dropFirst()) ?? 0
        return (0..<Int.max / 2).contains(number) ? number : 0
    }
}
