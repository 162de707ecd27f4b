/// The name by which the client called us cannot be taken.
enum HostRefused: Refusal {
    /// The `Host` header, or `X-Forwarded-Host`, names somebody else.
    case foreign(String)
    /// It is nobody's name.
    case nameless(String)
    /// What a proxy tells in a field is not what stands there.
    case malformed(_ field: String, _ value: String, expected: String)

    var explanation: String {
        switch self {
        case .foreign(let host):
            "The host name “\(host.prefix(80))” is not one of ours, so this may be a web page that was rebound to this machine. "
                + "If the name is yours, start with --allow-host \(host.prefix(80)), or call the server by a name without a dot, such as an "
                + "alias: of the service in GitLab or Docker Compose, or the short name of a service in Kubernetes."
        case .nameless(let host):
            "“\(host.prefix(80))” in the header Host is no host name (RFC 1123 §2.1), no numeric address and no IPv6 address in brackets."
        case .malformed(let field, let value, let expected):
            "The header \(field) is “\(value.prefix(80))”, expected \(expected)."
        }
    }
}
