import DeviceKit
import Essentials

/// A message to the person, as the list or the detail tells it.
package struct InboxMessage: Sendable, Equatable {
    package let id: String
    /// `text` or `html`.
    package let type: String
    package let subject: String
    package let summary: String
    /// Nil in a list.
    package let body: String?
    package let isRead: Bool
    /// `2025-10-23T06:13:20+0000`
    package let created: String

    init(_ json: JSONValue) throws {
        id = try json.text("id")
        type = try json.text("type")
        subject = try json.text("subject")
        summary = try json.text("summary")
        body = json["body"]?.string
        guard let flag = json["read"]?.boolean else { throw DeviceError("“read” is missing in \(json.text)") }
        isRead = flag
        created = try json.text("timestampCreated")
        try MobileOperation.checkTime(created, "timestampCreated")
    }
}
