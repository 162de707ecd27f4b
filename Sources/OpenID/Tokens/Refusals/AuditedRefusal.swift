/// A refusal that an audit may want to know about.
protocol AuditedRefusal: OAuthRefusal {
    var audit: AuditEvent.Kind? { get }
}
