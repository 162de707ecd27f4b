import Synchronization

/// Who is told what the rows of a long list take in memory, before the next one is read.
package final class RowMemory: Sendable {
    /// That of whoever reads on this thread; nil where nobody counts.
    @TaskLocal package static var current: RowMemory?

    /// Bytes of rows that nobody is asked for: a list of usual length costs nothing.
    static let step = 1 << 20
    /// What becomes of a byte of text: the text, what is made of it for the answer, and the answer.
    static let textFactor = 3
    /// What a value in JSON takes beside its text. Source: `{"a":"","b":"",…}` of 2 MB.
    private static let bytesOfValue = 64

    private let reserve: @Sendable (_ bytes: Int, _ held: Int) throws -> Void
    private let taken = Atomic(0)

    /// - Parameter reserve: is asked for so many bytes more than the `held` ones that it gave before.
    package init(reserve: @escaping @Sendable (_ bytes: Int, _ held: Int) throws -> Void) {
        self.reserve = reserve
    }

    /// What becomes of JSON: its text, and each of its values, before which a bracket or a comma stands.
    static func bytes(ofJSON text: [UInt8]) -> Int {
        let values = text.count { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
        }
        return text.count * textFactor + values * bytesOfValue
    }

    /// Bytes that were reserved; whoever made this gives them back.
    package var held: Int { taken.load(ordering: .relaxed) }

    func take(_ bytes: Int) throws {
        try reserve(bytes, held)
        taken.add(bytes, ordering: .relaxed)
    }
}
