import Essentials

/// JSON for standard output.
enum JSONText {
    /// `value` on one line, members sorted, its end included.
    static func line(_ value: some Encodable) -> String { self.value(value) + "\n" }

    /// The same without the line's end.
    static func value(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            // Only numbers that are not finite get here.
            return "{\"error\":\"cannot be written as JSON\"}"
        }
    }
}
