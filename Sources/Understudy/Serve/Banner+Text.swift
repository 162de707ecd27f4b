import QRCode

extension Banner {
    /// The line that ends the banner, and by which programs know that the server answers.
    var readyLine: String { "ready \(url)" }

    /// All of it for people; the last line is ``readyLine``.
    func text(_ terminal: Terminal) -> String {
        let head =
            terminal.bold("Understudy \(version)") + "  "
            + terminal.dim("for development only, never for real users")
        var lines = [head, ""]
        lines += section(nil, addresses, terminal)
        lines += section(
            "Platforms", places, terminal)
        if !upstreams.isEmpty {
            lines += ["  " + terminal.red("NOT emulated: real services answer here")]
            lines +=
                Columns.lines(
                    upstreams.map { [Columns.plain($0.ours), Columns.plain($0.upstream)] }, indent: 4) + [""]
        }
        lines += section("Worlds", doors.map { [$0.name, $0.url] }, terminal)
        lines += section("From elsewhere", elsewhere, terminal)
        lines += section("People", people.map { [$0.name, $0.email, $0.story] }, terminal)
        lines += section(
            "FIXED CODES: whoever knows them can sign in", fixedCodes.map { [$0.to, $0.code] }, terminal)
        lines += section("Settings", facts, terminal)
        return (lines + phone(terminal) + [readyLine]).joined(separator: "\n") + "\n"
    }

    /// The console's address for the camera of a phone.
    private func phone(_ terminal: Terminal) -> [String] {
        // What cannot be drawn stands below as text.
        guard let phoneConsole, let symbol = try? QRCode(text: phoneConsole, correction: .low) else {
            return []
        }
        let drawn = symbol.terminal(usesColour: terminal.isColoured).split(separator: "\n").map(String.init)
        return ["  " + terminal.bold("For a phone on this network")] + drawn + ["  " + phoneConsole, ""]
    }

    /// What remains of it with `--quiet`: a token that nobody knows yet, codes that are no secret, and the last line.
    func quietText(isTokenNew: Bool) -> String {
        let token = isTokenNew ? controlToken.map { "control token \($0)\n" } : nil
        let codes = fixedCodes.map { "fixed code \(Columns.plain($0.code)) for \(Columns.plain($0.to))\n" }
        return (token ?? "") + codes.joined() + readyLine + "\n"
    }

    private var addresses: [[String]] {
        [
            ["Console", console + query], ["Outbox", console + "outbox" + query], ["Control API", control],
        ]
            + (smtp.map { [["Mail in", "smtp://\($0)"]] } ?? [])
            + (controlToken.map { [["Control token", $0]] } ?? [])
    }

    /// A link with it sets the cookie.
    private var query: String { controlToken.map { "?token=\($0)" } ?? "" }

    /// The title of a platform stands before the first of its places.
    private var places: [[String]] {
        platforms.enumerated().map { index, place in
            let isFirst = index == 0 || platforms[index - 1].title != place.title
            return [isFirst ? place.title : "", place.url] + [place.hostURL, place.rootURL].compactMap { $0 }
        }
    }

    private var elsewhere: [[String]] {
        (androidEmulator.map { [["Android emulator", $0]] } ?? [])
            + (adbReverse.map { [["or, as localhost", $0]] } ?? [])
            + [["iOS simulator", iosSimulator]] + (container.map { [["Container", $0]] } ?? [])
            + network.enumerated().map { [$0.offset == 0 ? "This network" : "", $0.element] }
            + (socket.map { [["Unix socket", $0]] } ?? [])
    }

    private var facts: [[String]] {
        var facts: [[String]] = []
        if let config { facts.append(["Options from", config]) }
        if let data { facts.append(["Data", "kept in \(data)"]) }
        if let seed { facts.append(["Seed", "\(seed)"]) }
        if let clock { facts.append(["Clock", clock.now + (clock.frozen ? ", frozen" : ", moved")]) }
        if let authority {
            facts.append(["Development CA", authority + "; understudy ca trust shows how to trust it"])
        }
        if let mailRelay { facts.append(["Mail relay", mailRelay]) }
        if let mailFolder { facts.append(["Mail folder", mailFolder]) }
        return facts
    }

    private func section(_ title: String?, _ rows: [[String]], _ terminal: Terminal) -> [String] {
        guard !rows.isEmpty else { return [] }
        return (title.map { ["  " + terminal.bold($0)] } ?? [])
            + Columns.lines(rows.map { $0.map(Columns.plain) }, indent: title == nil ? 2 : 4) + [""]
    }
}
