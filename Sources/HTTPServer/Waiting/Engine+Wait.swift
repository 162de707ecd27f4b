import HTTP
import Synchronization

extension Engine {
    func waiting(_ parsed: RequestParser.Parsed, _ wait: Wait, on connection: Connection) -> OpenWait {
        OpenWait(parsed, wait) { open in _ = connection.peek { $0.rouse(open) } }
    }

    /// Listens before the conversation rests, so that no ring is missed.
    func park(_ open: OpenWait, on connection: Connection, _ scratch: Scratch) -> Conversation.Step {
        open.beginListening()
        var isParked = false
        let step = connection.step(scratch) { conversation in
            isParked = true
            return conversation.begin(open, scratch)
        }
        // The server has closed the connection meanwhile.
        if !isParked { open.endListening() }
        return step
    }

    /// Asks the question of a waiting request, and passes the answer on where there is one.
    func ask(
        _ open: OpenWait, isLast: Bool, on connection: Connection, _ scratch: Scratch
    ) -> Conversation.Step {
        guard let response = open.ask(isLast: isLast) else {
            return connection.step(scratch) { $0.goOn(scratch) }
        }
        open.endListening()
        context.alarms.cancel(open)
        if !response.isWaiting { context.answered.add(1, ordering: .relaxed) }
        return connection.step(scratch) { $0.end(open, response, scratch) }
    }
}
