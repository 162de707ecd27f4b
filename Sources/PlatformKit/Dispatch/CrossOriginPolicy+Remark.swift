import HTTP

extension CrossOriginPolicy {
    /// Why a browser keeps this answer from the page that asked, and what to do; nil where none does.
    ///
    /// Source: WHATWG Fetch, “CORS check” and “CORS-preflight fetch”.
    func remark(on request: Request) -> String? {
        guard let origin = request.headers["Origin"], request.foreignOrigin != nil, isFetch(request),
            !opens(request), exempts(request) || !allows(origin)
        else { return nil }
        let page = "the page of \(origin.prefix(100))"
        let blocked =
            Self.isPreflight(request)
            ? "Blocked by CORS: this preflight allows nothing, so a browser does not send the request of \(page)."
            : "Blocked by CORS: a browser does not show this answer to \(page)."
        if exempts(request) { return blocked + " " + (remedy(for: origin, request) ?? "") }
        let allowed = allowedOrigins + (allowsAnyLocalhost ? ["any localhost"] : [])
        let others = allowed.isEmpty ? "no page of another origin" : allowed.joined(separator: ", ")
        return blocked + " Allowed: \(others). " + (remedy(for: origin, request) ?? "")
    }

    /// Pictures, links, forms and web sockets obey other rules.
    private func isFetch(_ request: Request) -> Bool {
        if Self.isPreflight(request) { return true }
        if request.method == .post, takesForms(request) { return false }
        return !["navigate", "no-cors", "websocket"].contains(request.headers["Sec-Fetch-Mode"] ?? "")
            && request.headers["Upgrade"] == nil
    }

    /// What lets the page call: a line for the fixtures, where one does. A full sentence.
    func remedy(for origin: String, _ request: Request) -> String? {
        if exempts(request) {
            let path = Self.path(request)
            guard let line = exemptionLines.first(where: { Self.covers($0.key, path) }) else {
                return
                    "No page of another origin may call this path, whatever the rules allow: a browser is sent there, or a back end calls it."
            }
            return "To let pages of other origins call this path, put into the fixtures: \(line.value)."
        }
        let localhost =
            "\"cors\": {\"any_localhost_origin\": true}"
        guard CORSFixture.isOrigin(origin) else {
            return
                "To let every page of this machine call, put into the fixtures, next to the platforms: \(localhost)."
        }
        let line = "\"cors\": {\"origins\": [\"\(origin)\"]}"
        return "To let it call, put into the fixtures, next to the platforms: \(line)"
            + (CORSFixture.isLocalhost(origin) ? ", or for every port of this machine \(localhost)." : ".")
    }

    /// This policy with what the section `cors` of the fixtures adds.
    func adding(_ more: CORSFixture?) -> CrossOriginPolicy {
        guard let more, !more.isEmpty else { return self }
        var policy = self
        policy.allowedOrigins += more.origins ?? []
        policy.allowsAnyLocalhost = more.anyLocalhost ?? false
        return policy
    }
}
