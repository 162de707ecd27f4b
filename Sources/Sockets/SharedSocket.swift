import Synchronization

/// A connection that one thread reads from while others write to it. Each call waits until it is done or its time is over.
package final class SharedSocket: Sendable {
    private let socket: Socket
    /// An `SSL` serves one thread at a time: no call of it waits.
    private let channel: Mutex<Channel>
    /// One message after the other, whole.
    private let writing = Mutex(())

    init(_ channel: Channel) {
        socket = channel.socket
        self.channel = Mutex(channel)
    }

    deinit { socket.close() }

    /// Waits for bytes and puts what has come into `buffer`; 0 when the peer sends no more, nil when nothing came in time.
    package func read(into buffer: UnsafeMutableRawBufferPointer, seconds: Double) throws -> Int? {
        let deadline = System.uptime + seconds
        while true {
            let (outcome, waitsToWrite) = channel.withLock {
                ($0.receive(into: buffer), $0.tls?.waitsToWrite ?? false)
            }
            switch outcome {
            case .moved(let count): return count
            case .ended: return 0
            case .failed(let error): throw error
            case .mustWait:
                guard try socket.wait(toWrite: waitsToWrite, until: deadline) else { return nil }
            }
        }
    }

    /// Sends all of `bytes`.
    ///
    /// - Parameter seconds: that all of it may take, once it is its turn.
    package func write(_ bytes: [UInt8], seconds: Double) throws {
        try writing.withLock { _ in
            let deadline = System.uptime + seconds
            var sent = 0
            while sent < bytes.count {
                let (outcome, waitsToWrite) = channel.withLock { channel in
                    let outcome = bytes.withUnsafeBytes {
                        channel.send(UnsafeRawBufferPointer(rebasing: $0[sent...]))
                    }
                    return (outcome, channel.tls.map(\.waitsToWrite) ?? true)
                }
                switch outcome {
                case .moved(let count):
                    sent += count
                    guard sent == bytes.count || System.uptime < deadline else {
                        throw SocketError.timedOut("the peer", call: "write")
                    }
                case .ended: throw SocketError(.closed, message: "closed", call: "write")
                case .failed(let error): throw error
                case .mustWait:
                    guard try socket.wait(toWrite: waitsToWrite, until: deadline) else {
                        throw SocketError.timedOut("the peer", call: "write")
                    }
                }
            }
        }
    }

    /// Says to the peer that no more will come; what it still sends can be read.
    package func endWriting() { channel.withLock { $0.endWriting() } }

    /// Ends both directions: whoever waits goes on and finds the end.
    package func end() {
        channel.withLock { $0.tls?.endWriting() }
        socket.endBoth()
    }
}
