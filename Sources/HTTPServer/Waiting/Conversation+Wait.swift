import HTTP
import Sockets

/// Answers that are waited for: the connection is parked, and requests behind stay in the socket.
extension Conversation {
    /// The handler has returned without an answer. What is written already leaves now.
    mutating func park(_ wait: HTTP.Wait, of parsed: RequestParser.Parsed) -> Step {
        if !flush() { isBroken = true }
        if parser?.bufferedBytes == 0 { parser = nil }
        return .wait(wait, parsed)
    }

    mutating func begin(_ opened: OpenWait, _ scratch: Scratch) -> Step {
        stage = .waiting(opened)
        return goOn(scratch)
    }

    /// Rests, or says that it is time for a question. A client that has closed its side is waited for no longer: it cannot be told from
    /// one that has gone, and gets the answer that it would get when the time is over.
    mutating func attend(_ waiting: OpenWait) -> Step? {
        if !isBroken, !flush() { isBroken = true }
        let now = System.uptime
        if isBroken || incoming.peerHasEnded || context.isStopping || now >= waiting.deadline {
            return .ask(waiting, isLast: true)
        }
        let next = waiting.nextQuestion
        if now >= next { return .ask(waiting, isLast: false) }
        context.alarms.set(waiting, at: next)
        return .rest
    }

    /// The answer is there.
    mutating func end(_ ended: OpenWait, _ response: Response, _ scratch: Scratch) -> Step {
        stage = .open
        return answer(ended.parsed, response, scratch)
    }

    /// Called from any thread: has the poller report the connection, so that a thread of the server comes by.
    mutating func rouse(_ rung: OpenWait) {
        if waiting === rung, !isBusy { polling.isWanted = true }
    }
}
