/// Trusted devices: a cookie spares their user the second factor.
///
/// The value is `<user id>:<token>`, several of them joined by `|`, the newest first; a bare token is the old form.
/// Source: Hanko 1.3 and later.
struct DeviceTrustCookie: Sendable, Equatable {
    var name = "hanko-device-token"
    /// Users that one device may be trusted by: entries beyond so many are dropped from the end.
    var limit = 20

    /// The tokens that may be the user's.
    func tokens(of userID: String, in value: String?) -> [String] {
        entries(of: value).compactMap { entry in
            let parts = entry.split(separator: ":", maxSplits: 1).map(String.init)
            return parts.count == 1 ? parts.first : parts.first == userID ? parts.last : nil
        }
    }

    /// `Set-Cookie` with a new entry before those that are there.
    func header(adding token: String, of userID: String, to value: String?, maxAge: Int) -> String {
        let entries = ["\(userID):\(token)"] + entries(of: value)
        return
            "\(name)=\(entries.prefix(limit).joined(separator: "|")); Path=/; Max-Age=\(maxAge); HttpOnly; Secure; "
            + "SameSite=None"
    }

    /// Only what looks like an entry: the value is the client's word, and goes back into a header.
    private func entries(of value: String?) -> [String] {
        (value ?? "").split(separator: "|").prefix(limit).map(String.init).filter { entry in
            entry.utf8.count <= 200
                && entry.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_:".utf8.contains($0) }
        }
    }
}

extension UInt8 {
    fileprivate var isASCIIAlphanumeric: Bool {
        0x30...0x39 ~= self || 0x41...0x5A ~= self || 0x61...0x7A ~= self
    }
}
