/// The name by which the client called us cannot be taken.
enum HostRefused: Refusal {
    /// The `Host` header, or `X-Forwarded-Host`, names somebody else.
    case foreign(String)
    /// The proxy's `X-Forwarded-Host` is no host name.
    case malformed(String)

    var explanation: String {
        switch self {
        case .foreign(let host):
            "The host name \"\(host.prefix(80))\" is not one of ours, so this may be a web page that was rebound to this machine. "
                + "If the name is yours, start with --allow-host \(host.prefix(80))."
        case .malformed(let host):
            "The header X-Forwarded-Host is \"\(host.prefix(80))\", not a host name with an optional port."
        }
    }
}
