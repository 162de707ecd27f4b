import QRCode

/// QR symbols as the console draws them.
enum Symbol {
    /// An SVG element with the quiet zone of 4 that the standard asks for; nil for a text that fits into no symbol.
    static func svg(_ text: String) -> String? {
        // An empty or too long text is the only reason to fail that a caller can do something about.
        (try? QRCode(text: text))?.svg(quietZone: 4, title: "QR code of this transaction")
    }
}
