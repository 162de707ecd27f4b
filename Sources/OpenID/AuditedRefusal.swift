/// A refusal that an audit log hears of.
package protocol AuditedRefusal: OAuthRefusal {
    associatedtype Event: Sendable
    /// As the log's catalogue has it; nil where nothing is written.
    var event: Event? { get }
}

/// The shape of what is refused with an event for an audit log. Each subject names its own, and gives each case as a static member:
///
///     typealias CodeRefusal = SubjectRefusal<AuthorizationCode, AuditEvent.Kind>
package struct SubjectRefusal<Subject: Sendable, Event: Sendable & Equatable>: AuditedRefusal, Equatable {
    package let wire: OAuthWire
    package let event: Event?
    package let explanation: String

    package init(_ wire: OAuthWire, event: Event? = nil, explanation: String) {
        (self.wire, self.event, self.explanation) = (wire, event, explanation)
    }
}
