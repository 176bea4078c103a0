import COpenSSL

extension Certificate {
    /// An attribute of a subject's name.
    public enum SubjectAttribute: Sendable {
        /// `CN`
        case commonName
        /// `UID`
        case userId

        fileprivate var number: Int32 {
            switch self {
            case .commonName: NID_commonName
            case .userId: NID_userId
            }
        }
    }

    /// The certificate of DER.
    public convenience init(der: [UInt8]) throws(OpenSSLError) {
        let certificate = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_X509(nil, &next, bytes.count)
        }
        unsafe self.init(owning: try require(certificate, "reading a certificate"))
    }

    /// The first value of an attribute of the subject; nil when there is none.
    public func subject(_ attribute: SubjectAttribute) -> String? {
        defer { ERR_clear_error() }
        let name = unsafe X509_get_subject_name(pointer)
        let place = unsafe X509_NAME_get_index_by_NID(name, attribute.number, -1)
        guard place >= 0 else { return nil }
        return unsafe Self.text(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, place)))
    }

    /// Whether there is an extension with an object identifier such as `1.2.3`.
    public func hasExtension(_ identifier: String) -> Bool { place(ofExtension: identifier) != nil }

    /// The UTF-8 strings that stand directly in the sequence of an extension; none where it is no sequence.
    public func strings(inExtension identifier: String) -> [String] {
        defer { ERR_clear_error() }
        guard let place = place(ofExtension: identifier),
            let content = unsafe X509_EXTENSION_get_data(X509_get_ext(pointer, place))
        else { return [] }
        var next = unsafe ASN1_STRING_get0_data(content)
        guard let sequence = unsafe d2i_ASN1_SEQUENCE_ANY(nil, &next, Int(ASN1_STRING_length(content)))
        else { return [] }
        defer { unsafe OPENSSL_sk_free(sequence) }
        var strings: [String] = []
        let count = unsafe OPENSSL_sk_num(sequence)
        for index in 0..<max(0, count) {
            guard
                let element = unsafe OPENSSL_sk_value(sequence, index)?.assumingMemoryBound(
                    to: ASN1_TYPE.self
                )
            else { continue }
            if unsafe element.pointee.type == V_ASN1_UTF8STRING,
                let text = unsafe Self.text(element.pointee.value.utf8string)
            {
                strings.append(text)
            }
            unsafe ASN1_TYPE_free(element)
        }
        return strings
    }

    private func place(ofExtension identifier: String) -> Int32? {
        guard let object = unsafe OBJ_txt2obj(identifier, 1) else { return nil }
        defer { unsafe ASN1_OBJECT_free(object) }
        let place = unsafe X509_get_ext_by_OBJ(pointer, object, -1)
        return place >= 0 ? place : nil
    }

    /// A string of any of ASN.1's kinds as text.
    private static func text(_ string: UnsafePointer<ASN1_STRING>?) -> String? {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe ASN1_STRING_to_UTF8(&bytes, string)
        guard count >= 0, let bytes = unsafe bytes else { return nil }
        defer { unsafe CRYPTO_free(bytes, "", 0) }
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }
}
