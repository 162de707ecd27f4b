import HTTP
import Testing

@testable import HTTPServer
@testable import Sockets

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A place for clients is used again and again.
@Suite struct PlaceTests {
    private struct Silent: Responder {
        func respond(to request: Request) -> Response { .text("") }
        func refuse(_ request: Request, because fault: WireFault) -> Response { .text("") }
        func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }
    }

    private let scratch = Scratch()

    /// Gives the place to a client, whose end of the connection is returned.
    private func begin(at place: Connection) throws -> Int32 {
        let context = ServerContext(Limits(), nil, nil, takesTLSOnly: false, Silent(), HandlerWaits())
        let peer = Request.Peer(
            address: "127.0.0.1", isLoopback: true, isSecure: false, localAuthority: "localhost:1", door: nil)
        var ends: [Int32] = [0, 0]
        // The type of its constants differs between systems.
        try #require(socketpair(AF_UNIX, numericCast(1), 0, &ends) == 0)
        // As each socket is that a listener has accepted.
        try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        let channel = Channel(socket: Socket(descriptor: ends[0]))
        try place.begin(Conversation(context, channel, peer: peer, isSurplus: false))
        return ends[1]
    }

    @Test func `an event that comes late does not touch who has the place by now`() throws {
        let place = Connection(try Poller())
        let first = try begin(at: place)
        let old = place.tag
        _ = place.step(scratch) { _ in .closed(nil) }
        let second = try begin(at: place)
        defer { for end in [first, second] { close(end) } }

        let late = place.hear([.peerEnded, .broken], of: old, scratch)
        guard case .rest = late else { return _ = Issue.record("it was heard") }
        #expect(place.peek { $0.incoming.peerHasEnded || $0.isBroken } == false)
        #expect(Connection.named(old) === place && Connection.named(place.tag) === place)
        _ = place.hear(.peerEnded, of: place.tag, scratch)
        #expect(place.peek(\.incoming.peerHasEnded) == true)
    }

    @Test func `who has the conversation in hand goes on with what another thread is told of it`() throws {
        let place = Connection(try Poller())
        let other = try begin(at: place)
        defer { close(other) }
        let step = place.step(scratch) { conversation in
            // It returns at once, with nothing for that thread to do.
            guard case .rest = place.hear(.peerEnded, of: place.tag, scratch) else { return .closed(nil) }
            #expect(!conversation.incoming.peerHasEnded)
            return .rest
        }
        guard case .rest = step else { return _ = Issue.record("it did not rest") }
        #expect(place.peek(\.incoming.peerHasEnded) == true)
    }

    @Test func `what comes for somebody else meanwhile is forgotten`() throws {
        let place = Connection(try Poller())
        let first = try begin(at: place)
        let old = place.tag
        _ = place.step(scratch) { _ in
            _ = place.hear(.broken, of: old, scratch)
            return .closed(nil)
        }
        let second = try begin(at: place)
        defer { for end in [first, second] { close(end) } }
        _ = place.step(scratch) { _ in .rest }
        #expect(place.peek(\.isBroken) == false)
    }

    @Test func `what comes while somebody looks on is told by the poller once more`() throws {
        let poller = try Poller()
        let place = Connection(poller)
        let other = try begin(at: place)
        defer { close(other) }
        #expect(poller.wait(seconds: 0) == .timedOut)
        _ = place.peek { _ in _ = place.hear(.readable, of: place.tag, scratch) }
        #expect(poller.wait(seconds: 5) == .ready(tag: place.tag, .writable))
    }
}
