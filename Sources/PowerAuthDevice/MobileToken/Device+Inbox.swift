import DeviceKit
import Essentials

extension Device {
    /// `inbox/count`: messages that were not read.
    package func unreadMessages() throws -> Int {
        guard let object = try universalCall("/api/inbox/count", nil)["responseObject"] else {
            throw DeviceError("the answer has no “responseObject”")
        }
        return try object.number("countUnread")
    }

    /// `inbox/message/list`, newest first; a page past the end is empty.
    package func messages(page: Int = 0, size: Int = 50, onlyUnread: Bool = false) throws -> [InboxMessage] {
        let envelope = try universalCall(
            "/api/inbox/message/list",
            ["page": .integer(page), "size": .integer(size), "onlyUnread": .boolean(onlyUnread)])
        guard try envelope.number("page") == page, try envelope.number("size") == size else {
            throw DeviceError("the page is another one: \(envelope.text)")
        }
        guard let list = envelope["responseObject"]?.array else {
            throw DeviceError("the messages are not an array: \(envelope.text)")
        }
        return try list.map(InboxMessage.init)
    }

    /// `inbox/message/detail`: with the body.
    package func message(_ id: String) throws -> InboxMessage {
        let envelope = try universalCall("/api/inbox/message/detail", ["id": .string(id)])
        guard let object = envelope["responseObject"] else { throw DeviceError("the answer has no message") }
        let message = try InboxMessage(object)
        guard message.body != nil else { throw DeviceError("the message has no body: \(object.text)") }
        return message
    }

    /// `inbox/message/read`.
    package func markRead(_ id: String) throws {
        _ = try universalCall("/api/inbox/message/read", ["id": .string(id)])
    }

    /// `inbox/message/read-all`.
    package func markAllRead() throws { _ = try universalCall("/api/inbox/message/read-all", nil) }
}
