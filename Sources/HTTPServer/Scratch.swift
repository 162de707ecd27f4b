import HTTP
import Sockets

/// What one thread lends to the conversation that it serves, so that a waiting connection holds no buffer.
final class Scratch {
    let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 * 1024, alignment: 16)
    /// An empty array with storage.
    var spare: [UInt8] = []
    private var second = 0
    private var text = ""

    deinit { input.deallocate() }

    /// The value of the `Date` field, made once a second.
    func date() -> String {
        let now = System.secondsSince1970
        if now != second { (second, text) = (now, HTTPDate.text(secondsSince1970: now)) }
        return text
    }
}
