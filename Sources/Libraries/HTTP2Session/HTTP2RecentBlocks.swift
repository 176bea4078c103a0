/// The latest header lists of a session, since a client repeats one for each of the resources it asks for.
struct HTTP2RecentBlocks {
    private var blocks: [HTTP2HeaderBlock] = []
    /// Where the last list was found, and is looked for first.
    private var latest = 0
    /// Where the oldest list is, once all places are taken.
    private var oldest = 0

    /// The list as a block, shared with earlier requests if it is remembered.
    mutating func block(for scratch: HTTP2HeaderScratch) -> HTTP2HeaderBlock {
        if latest < blocks.count, scratch.isEqual(to: blocks[latest]) { return blocks[latest] }
        if let place = blocks.firstIndex(where: { scratch.isEqual(to: $0) }) {
            latest = place
        } else if blocks.count < HTTP2HeaderBlock.places {
            latest = blocks.count
            blocks.append(scratch.block(place: latest))
        } else {
            latest = oldest
            blocks[latest] = scratch.block(place: latest)
            oldest = (oldest + 1) % HTTP2HeaderBlock.places
        }
        return blocks[latest]
    }
}
