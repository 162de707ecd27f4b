/// How an address is written where it stands: as it is, in JSON with slashes escaped, or percent-encoded as in a query, where some writers leave
/// colons or slashes as they are.
///
/// Sources: RFC 8259 §7 (`\/`), RFC 3986 §2.1 and §3.4.
enum Spelling: CaseIterable {
    case plain, escaped, percentUpper, percentLower, colonUpper, colonLower, slashUpper, slashLower

    func write(_ address: String) -> [UInt8] {
        switch self {
        case .plain: Array(address.utf8)
        case .escaped: address.utf8.flatMap { $0 == UInt8(ascii: "/") ? Array("\\/".utf8) : [$0] }
        case .percentUpper: percent(address, colon: "%3A", slash: "%2F")
        case .percentLower: percent(address, colon: "%3a", slash: "%2f")
        case .colonUpper: percent(address, colon: "%3A", slash: "/")
        case .colonLower: percent(address, colon: "%3a", slash: "/")
        case .slashUpper: percent(address, colon: ":", slash: "%2F")
        case .slashLower: percent(address, colon: ":", slash: "%2f")
        }
    }

    private func percent(_ address: String, colon: String, slash: String) -> [UInt8] {
        address.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: ":"): Array(colon.utf8)
            case UInt8(ascii: "/"): Array(slash.utf8)
            default: [byte]
            }
        }
    }

    /// Whether an address ends before `rest`, and is not the beginning of a longer host name or path, or followed by a port.
    func isEnd(_ rest: ArraySlice<UInt8>) -> Bool {
        guard let next = rest.first else { return true }
        if next == UInt8(ascii: ".") { return rest.dropFirst().first.map { !$0.isNameByte } ?? true }
        if next == UInt8(ascii: ":") || next == UInt8(ascii: "@") || next.isNameByte { return false }
        guard next == UInt8(ascii: "%") else { return true }
        // A colon, an at sign, or a letter that somebody encoded: not the end of a host.
        let code = rest.dropFirst().prefix(2)
        return ["2F", "2f", "3F", "3f", "23", "26", "22", "27", "20", "2C", "2c", "5C", "5c"].contains {
            code.elementsEqual($0.utf8)
        }
    }
}

extension UInt8 {
    fileprivate var isNameByte: Bool {
        0x30...0x39 ~= self || 0x41...0x5A ~= self || 0x61...0x7A ~= self || self == UInt8(ascii: "-")
            || self == UInt8(ascii: "_") || self == UInt8(ascii: "~")
    }
}
