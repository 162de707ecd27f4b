import Sockets
import Testing

@testable import HTTPServer

@Suite struct NotesTests {
    @Test func `what is told is there once, together, for whom it was told`() {
        let notes = Notes()
        let before = notes.take(of: 1)
        let areNoted = [Poller.Readiness.readable, .peerEnded].map { notes.add($0, for: 1, now: { 1 }) }
        let isEmpty = notes.isEmpty
        let taken = [notes.take(of: 1), notes.take(of: 1)]
        let isEmptyAfterwards = notes.isEmpty
        #expect(before == nil && areNoted == [true, true] && !isEmpty)
        #expect(taken == [[.readable, .peerEnded], nil] && isEmptyAfterwards)
    }

    @Test func `what is left of somebody who has gone is for nobody`() {
        let notes = Notes()
        _ = notes.add(.broken, for: 1, now: { 1 })
        _ = notes.add(.readable, for: 2, now: { 2 })
        let ofNext = notes.take(of: 2)
        _ = notes.add(.broken, for: 2, now: { 2 })
        let ofLast = notes.take(of: 3)
        #expect(ofNext == .readable && ofLast == nil)
    }

    @Test func `what comes late covers nothing that is told of who has the place now`() {
        let notes = Notes()
        _ = notes.add(.readable, for: 2, now: { 2 })
        let isNoted = notes.add(.broken, for: 1, now: { 2 })
        let taken = notes.take(of: 2)
        #expect(!isNoted && taken == .readable)
    }

    @Test func `nor when the place is given away while it is on its way`() {
        let notes = Notes()
        var looks = 0
        let isNoted = notes.add(.broken, for: 1) {
            looks += 1
            if looks > 1 { return 2 }
            _ = notes.add(.readable, for: 2, now: { 2 })
            return 1
        }
        let taken = notes.take(of: 2)
        #expect(!isNoted && taken == .readable)
    }
}
