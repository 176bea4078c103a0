import COpenSSL

/// What a certificate will say, before it is signed.
struct CertificateDraft {
    /// 9999-12-31T23:59:59Z: four digits of the year are all that a certificate has.
    private static let latest: Int64 = 253_402_300_799

    let name: String
    let validFrom: Int64
    let days: Int
    /// Numbers of extensions with their values in OpenSSL's notation, in order.
    var extensions: [(Int32, String)] = []

    init(name: String, validFrom: Int64, days: Int) {
        self.name = name
        self.validFrom = validFrom
        self.days = days
    }

    /// The certificate of a key; without an issuer it is issued by itself.
    func signed(
        subjectKey: P256PrivateKey,
        issuer: Certificate?,
        issuerKey: P256PrivateKey
    ) throws(OpenSSLError) -> Certificate {
        let certificate = unsafe Certificate(owning: try require(X509_new(), "making a certificate"))
        let x509 = unsafe certificate.pointer
        // Counts from 0: this is version 3, which has extensions.
        try check(unsafe X509_set_version(x509, 2), "choosing a version")
        try Self.setSerial(of: certificate)
        try setValidity(of: certificate)
        let subject = unsafe X509_get_subject_name(x509)
        let text = Array(name.utf8)
        try check(
            unsafe X509_NAME_add_entry_by_txt(
                subject,
                "CN",
                MBSTRING_UTF8,
                text,
                Int32(clamping: text.count),
                -1,
                0
            ),
            "naming a certificate"
        )
        let issuerName = unsafe X509_get_subject_name(issuer?.pointer ?? x509)
        try check(unsafe X509_set_issuer_name(x509, issuerName), "naming an issuer")
        try check(unsafe X509_set_pubkey(x509, subjectKey.pointer), "setting a key")
        for (number, value) in extensions {
            try Self.add(number, value, to: certificate, issuer: issuer ?? certificate)
        }
        guard unsafe X509_sign(x509, issuerKey.pointer, EVP_sha256()) > 0 else {
            throw OpenSSLError("signing a certificate")
        }
        return certificate
    }

    private func setValidity(of certificate: Certificate) throws(OpenSSLError) {
        let (length, overflow) = Int64(days).multipliedReportingOverflow(by: 86_400)
        let (end, overflowOfEnd) = validFrom.addingReportingOverflow(length)
        guard !overflow, !overflowOfEnd, validFrom >= 0, end <= Self.latest,
            let start = time_t(exactly: validFrom),
            let end = time_t(exactly: end),
            unsafe ASN1_TIME_set(X509_getm_notBefore(certificate.pointer), start) != nil,
            unsafe ASN1_TIME_set(X509_getm_notAfter(certificate.pointer), end) != nil
        else { throw OpenSSLError(operation: "setting a validity", reason: "it is out of range") }
    }

    /// Sixteen random bytes, the first bit clear so that the number is positive.
    private static func setSerial(of certificate: Certificate) throws(OpenSSLError) {
        var bytes = [UInt8](repeating: 0, count: 16)
        try check(unsafe RAND_bytes(&bytes, Int32(bytes.count)), "drawing a serial number")
        bytes[0] = bytes[0] & 0x7F | 0x40
        let number = unsafe BN_bin2bn(bytes, Int32(bytes.count), nil)
        defer { unsafe BN_free(number) }
        guard unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate.pointer)) != nil else {
            throw OpenSSLError("setting a serial number")
        }
    }

    private static func add(
        _ number: Int32,
        _ value: String,
        to certificate: Certificate,
        issuer: Certificate
    ) throws(OpenSSLError) {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, issuer.pointer, certificate.pointer, nil, nil, 0)
        let made = unsafe X509V3_EXT_conf_nid(nil, &context, number, value)
        let entry = unsafe try require(made, "making an extension")
        defer { unsafe X509_EXTENSION_free(entry) }
        try check(unsafe X509_add_ext(certificate.pointer, entry, -1), "adding an extension")
    }
}
