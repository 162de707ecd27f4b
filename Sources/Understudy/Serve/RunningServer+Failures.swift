import Sockets

// Why it cannot listen, in one line that says what to do.
extension RunningServer {
    /// One line: what cannot be had, and what to do.
    static func explain(_ error: SocketError, _ settings: ServeSettings) -> String {
        if error.call == "bind", let socket = settings.socket, error.message.hasPrefix(socket) {
            return error.message + "; stop it, or give another --socket"
        }
        let door = settings.doors.first { error.message.contains(":\($0.port)") && $0.port != 0 }
        return switch error.reason {
        case .addressInUse where door != nil:
            "port \(door?.port ?? 0), which --listen gives to \(door?.name ?? ""), is in use; stop the other program or give another, --listen \(door?.name ?? "")=PORT"
        case .addressInUse:
            "port \(settings.port) is in use; stop the other program or start with --port 0"
        case .permissionDenied where settings.port < 1024:
            "port \(settings.port) is reserved by the system; use one above 1023, such as --port 8420"
        default: "cannot listen: \(error.message)"
        }
    }

    static func explainMail(_ error: SocketError, _ settings: ServeSettings) -> String {
        let port = settings.smtpPort ?? 0
        return switch error.reason {
        case .addressInUse: "port \(port) is in use; stop the other program or start with --smtp-port 0"
        case .permissionDenied where port < 1024:
            "port \(port) is reserved by the system; use one above 1023, such as --smtp-port 2525"
        default: "cannot listen for mail: \(error.message)"
        }
    }
}
