import Essentials
import PlatformKit
import Platforms

extension Invocation {
    /// Scheme, authority and perhaps a path, without a slash at the end. - Throws: ``UsageError``.
    func publicURL() throws -> String? {
        try text(.publicURL).map { text in
            let url = text.withoutFinalSlash
            let lower = url.asciiLowercased
            guard let scheme = ["http://", "https://"].first(where: lower.hasPrefix),
                case let authority = url.dropFirst(scheme.count).prefix(while: { $0 != "/" }),
                !authority.isEmpty,
                authority.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._:[]".contains($0)) }),
                case let path = String(url.dropFirst(scheme.count + authority.count)),
                path.isEmpty || path.isPathPrefix && !path.hasSuffix("/")
            else {
                throw refusal(
                    of: .publicURL, "scheme, host and perhaps a path, such as https://understudy.example.com")
            }
            return scheme + authority + path
        }
    }

    /// A name for people and logs. - Throws: ``UsageError``.
    func instance() throws -> String? {
        try text(.instance).map { name in
            let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
            guard (1...64).contains(name.count), isPlain else {
                throw refusal(of: .instance, "1 to 64 letters, digits, -, _ and dots")
            }
            return name
        }
    }

    /// `auto` or `CERT,KEY`. - Throws: ``UsageError``.
    func tls() throws -> ServeSettings.TLS? {
        try text(.tls).map { text in
            if text == "auto" { return .auto }
            let files = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard files.count == 2, !files.contains("") else {
                throw refusal(of: .tls, "auto, or two PEM files separated by a comma, CERT,KEY")
            }
            return .files(certificate: files[0], key: files[1])
        }
    }

    /// Ports of platforms and worlds. - Throws: ``UsageError``.
    ///
    /// - Parameter main: the first of the range of `all` is the next.
    /// - Parameter all: whether all are meant where nothing is said.
    func doors(besides main: Int, all: Bool) throws -> [ServeSettings.Door] {
        // Last, so that no port of `all` moves.
        let mounts =
            Platforms.mountPaths + (flag(.twilio) ? Platforms.onRequest.flatMap { $0.mountPaths } : [])
        let given = texts(.listen)
        var doors: [ServeSettings.Door] = []
        for text in given where text != "all" { doors.append(try door(text, mounts)) }
        let named = Set(doors.map(\.name))
        guard named.count == doors.count else { throw UsageError("--listen gives one name two ports") }
        if given.contains("all") || (all && given.isEmpty) {
            for (index, mount) in mounts.enumerated() where !named.contains(mount) {
                doors.append(ServeSettings.Door(name: mount, port: main == 0 ? 0 : main + 1 + index))
            }
        }
        try check(doors + [ServeSettings.Door(name: "the main port", port: main)])
        return doors
    }

    private func door(_ text: String, _ mounts: [String]) throws -> ServeSettings.Door {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
        try checkSlip(parts[0], mounts)
        if parts.count == 2, let port = UInt16(parts[1]), Doorway(parts[0], mounts: Set(mounts)) != nil {
            return ServeSettings.Door(name: parts[0], port: Int(port))
        }
        let known = mounts.joined(separator: ", ")
        throw UsageError(
            "--listen expects NAME=PORT or all, not “\(text)”; NAME is a platform (\(known)), a world, or world/platform"
        )
    }

    /// A name that is nearly a platform's is a slip, and not the name of a world.
    private func checkSlip(_ name: String, _ mounts: [String]) throws {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let typed = parts.last, !typed.isEmpty, parts.count <= 2, !mounts.contains(typed),
            let meant = Suggestion.nearest(to: typed, among: mounts + ["all"])
        else { return }
        let whole = (parts.dropLast() + [meant]).joined(separator: "/")
        let world =
            parts.count == 1
            ? " A world of that name can have ports for its platforms, such as \(typed)/\(mounts[0])=PORT"
            : ""
        throw UsageError("--listen: there is no platform “\(typed)”; did you mean \(whole)?" + world)
    }

    private func check(_ doors: [ServeSettings.Door]) throws {
        var taken: [Int: String] = [:]
        for door in doors where door.port != 0 {
            let port = door.port
            guard port <= 65_535 else {
                throw UsageError("--listen all needs ports up to \(port); give a lower --port")
            }
            if let other = taken.updateValue(door.name, forKey: port) {
                throw UsageError("--listen gives port \(port) to both \(other) and \(door.name)")
            }
        }
    }

    /// Names by which clients may call us, in lower case. - Throws: ``UsageError``.
    func hostNames() throws -> [String] {
        try texts(.allowHost).map { text in
            let name = text.asciiLowercased
            if HostName.isName(name) || HostName.isIPv6Literal(name) { return name }
            let why =
                text.contains("*")
                ? "; a pattern would let in every web page that has its own name lead to this machine, so give --allow-host once for each name. Names below it that begin with a platform, such as hanko.mac.local, numeric addresses, localhost and names without a dot need none"
                : Self.hostIn(name).map { "; did you mean \($0)?" } ?? ", without scheme, port and path"
            throw UsageError(
                "\(given[Option.allowHost.name]?.source ?? "--allow-host") expects a host name such as mac.local, not “\(text)”\(why)"
            )
        }
    }

    /// The host of what is a URL, or a host with a port or a path.
    private static func hostIn(_ text: String) -> String? {
        let authority = (text.ranges(of: "://").first.map { text[$0.upperBound...] } ?? text[...]).prefix {
            !"/?#".contains($0)
        }
        let host =
            authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return HostName.isName(String(host)) || HostName.isIPv6Literal(String(host)) ? String(host) : nil
    }

    /// Numeric addresses, in the form in which peers are compared. - Throws: ``UsageError``.
    func addresses(_ option: Option) throws -> [String] {
        try texts(option).map { text in
            guard HostName.isIPv4(text) || HostName.isIPv6Literal("[\(text)]") else {
                throw UsageError(
                    "--\(option.name) expects a numeric address such as 172.17.0.1 or fd00::1, not “\(text)”"
                )
            }
            return text.asciiLowercased
        }
    }

    /// A number of bytes: `1048576`, `512K`, `64M`, `1G`, at least 1 MiB. - Throws: ``UsageError``.
    func bytes(_ option: Option) throws -> Int? {
        try text(option).map { text in
            let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
            let unit = text.last.flatMap { units[Character(String($0).asciiUppercased)] }
            let digits = unit == nil ? text[...] : text.dropLast()
            guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
                let number = Int(digits), case let bytes = number * (unit ?? 1), bytes >= 1 << 20
            else { throw refusal(of: option, "a size such as 64M or 1G, at least 1M") }
            return bytes
        }
    }

    /// Printable ASCII without spaces, as a header can carry it. - Throws: ``UsageError``.
    func token() throws -> String? {
        try text(.controlToken).map { text in
            guard (8...200).contains(text.utf8.count), text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                throw UsageError("--control-token expects 8 to 200 printable characters without spaces")
            }
            return text
        }
    }

    func hostAndPort(_ option: Option) throws -> HostAndPort? {
        try text(option).map { text in
            guard let place = HostAndPort(text) else {
                throw refusal(of: option, "host and port, such as localhost:1025")
            }
            return place
        }
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ option: Option) throws -> Choice? {
        try text(option).map { text in
            guard let choice = Choice(rawValue: text) else {
                throw refusal(of: option, Choice.allCases.map(\.rawValue).joined(separator: " or "))
            }
            return choice
        }
    }
}
