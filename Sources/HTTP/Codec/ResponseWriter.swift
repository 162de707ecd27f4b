/// Writes answers as HTTP/1.1 bytes.
package enum ResponseWriter {
    /// How the body is framed, besides its length being known.
    package struct Framing: Sendable {
        package var isHead: Bool
        package var isHTTP10: Bool
        package var keepsAlive: Bool
    }

    /// Appends the head, and for a plain body all of it. `date` is the value of the `Date` field, made once a second.
    package static func write(_ response: Response, framing: Framing, date: String, into bytes: inout [UInt8])
    {}

    /// Appends one piece of a streamed body, chunked where the client understands it.
    package static func writeChunk(_ piece: [UInt8], framing: Framing, into bytes: inout [UInt8]) {}

    package static func writeLastChunk(framing: Framing, into bytes: inout [UInt8]) {}
}
