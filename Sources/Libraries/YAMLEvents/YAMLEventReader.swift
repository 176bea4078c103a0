import CYAML

/// Reads the events of one text, in order, with their places.
@safe public final class YAMLEventReader {
    /// SAFETY: allocated in `init`, used by this object alone, deleted and freed in `deinit`.
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    /// SAFETY: the text that the parser reads; allocated before it and freed after it.
    private let text: UnsafeMutableBufferPointer<UInt8>

    /// A reader at the beginning of a text.
    ///
    /// - Throws: ``YAMLError`` when there is no memory for the parser.
    public init(_ bytes: [UInt8]) throws(YAMLError) {
        unsafe text = .allocate(capacity: max(1, bytes.count))
        _ = unsafe text.initialize(from: bytes)
        unsafe parser = .allocate(capacity: 1)
        unsafe parser.initialize(to: yaml_parser_t())
        guard unsafe yaml_parser_initialize(parser) == 1 else {
            unsafe parser.initialize(to: yaml_parser_t())
            throw YAMLError(position: YAMLPosition(line: 1, column: 1), message: "out of memory")
        }
        unsafe yaml_parser_set_input_string(parser, text.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe text.deallocate()
    }

    /// The next event; `streamEnd` is the last.
    public func next() throws(YAMLError) -> YAMLEvent {
        while true {
            var event = unsafe yaml_event_t()
            guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw error() }
            // SAFETY: the event's texts live until it is deleted here, after they were copied.
            defer { unsafe yaml_event_delete(&event) }
            if let converted = unsafe convert(event) { return converted }
        }
    }

    private func convert(_ event: yaml_event_t) -> YAMLEvent? {
        let position = position(unsafe event.start_mark)
        switch unsafe event.type {
        case YAML_DOCUMENT_START_EVENT: return plain(.documentStart, position)
        case YAML_DOCUMENT_END_EVENT: return plain(.documentEnd, position)
        case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return plain(.streamEnd, position)
        case YAML_SEQUENCE_END_EVENT: return plain(.sequenceEnd, position)
        case YAML_MAPPING_END_EVENT: return plain(.mappingEnd, position)
        case YAML_ALIAS_EVENT:
            return plain(.alias(unsafe string(event.data.alias.anchor) ?? ""), position)
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            // SAFETY: libyaml gives a value of exactly `length` bytes.
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            return YAMLEvent(
                kind: .scalar(
                    unsafe String(decoding: bytes, as: UTF8.self),
                    isPlain: unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
                ),
                position: position,
                tag: unsafe string(scalar.tag),
                anchor: unsafe string(scalar.anchor)
            )
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            return YAMLEvent(
                kind: .sequenceStart,
                position: position,
                tag: unsafe string(start.tag),
                anchor: unsafe string(start.anchor)
            )
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            return YAMLEvent(
                kind: .mappingStart,
                position: position,
                tag: unsafe string(start.tag),
                anchor: unsafe string(start.anchor)
            )
        default: return nil
        }
    }

    private func plain(_ kind: YAMLEvent.Kind, _ position: YAMLPosition) -> YAMLEvent {
        YAMLEvent(kind: kind, position: position, tag: nil, anchor: nil)
    }

    private func position(_ mark: yaml_mark_t) -> YAMLPosition {
        YAMLPosition(line: Int(mark.line) &+ 1, column: Int(mark.column) &+ 1)
    }

    private func string(_ text: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        // SAFETY: libyaml's names are terminated.
        unsafe text.map { unsafe String(cString: $0) }
    }

    private func error() -> YAMLError {
        // SAFETY: the problem's text is a constant of the library.
        let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) }
        let position =
            unsafe parser.pointee.error == YAML_READER_ERROR
            ? lineAndColumn(ofByte: unsafe parser.pointee.problem_offset)
            : position(unsafe parser.pointee.problem_mark)
        return YAMLError(position: position, message: problem ?? "cannot be read")
    }

    /// The place of a byte, which is all that the library tells of one that is not UTF-8.
    private func lineAndColumn(ofByte offset: Int) -> YAMLPosition {
        var line = 1
        var column = 1
        // SAFETY: the prefix lies within the text.
        for index in 0..<min(max(0, offset), unsafe text.count) {
            if unsafe text[index] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        return YAMLPosition(line: line, column: column)
    }
}
