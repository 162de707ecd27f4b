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

    @Test func `an event that comes late does not touch who has the place by now`() throws {
        let place = Connection(try Poller())
        let context = ServerContext(
            Limits(), nil, nil, takesTLSOnly: false, Silent(), HandlerWaits())
        let peer = Request.Peer(
            address: "127.0.0.1", isLoopback: true, isSecure: false, localAuthority: "localhost:1", door: nil)
        func begin() throws -> Int32 {
            var ends: [Int32] = [0, 0]
            // The type of its constants differs between systems.
            try #require(socketpair(AF_UNIX, numericCast(1), 0, &ends) == 0)
            let channel = Channel(socket: Socket(descriptor: ends[0]))
            try place.begin(Conversation(context, channel, peer: peer, isSurplus: false))
            return ends[1]
        }
        let first = try begin()
        let old = place.tag
        _ = place.step { _ in .closed(nil) }
        let second = try begin()
        defer { for end in [first, second] { close(end) } }

        let late = place.step(of: old) { $0.wake([.peerEnded, .broken], Scratch()) }
        guard case .rest = late else { return _ = Issue.record("it was heard") }
        #expect(place.peek { $0.incoming.peerHasEnded || $0.isBroken } == false)
        #expect(Connection.named(old) === place && Connection.named(place.tag) === place)
        _ = place.step(of: place.tag) { conversation in
            conversation.incoming.end = .seen
            return .rest
        }
        #expect(place.peek(\.incoming.peerHasEnded) == true)
    }
}
