import HTTP
import PlatformKit

extension Console {
    struct HelpersOutput: Encodable {
        let version: String
        let helpers: [HandoutJSON]
    }

    /// A file to take along: the word for it, its name and its address.
    struct HandoutJSON: Encodable {
        let language: String
        let file: String
        let url: String
    }

    /// `GET /helpers`, also with a slash at its end: the helpers for tests.
    ///
    /// - Response: `200 {"version": "…", "helpers": [{"language": "java", "file": "Understudy.java", "url": "…"}, …]}`.
    func listHelpers(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let base = request.worldURL + Self.root + "/helpers/"
        return try .json(
            HelpersOutput(
                version: info.version,
                helpers: Handouts.helpers.words.map { language in
                    HandoutJSON(
                        language: language, file: Handouts.helpers.file(language) ?? "", url: base + language)
                }))
    }

    /// `GET /helpers/NAME`: the helper for a language, or of that file name, as `understudy helper` prints it.
    ///
    /// - Response: `200` with the file as UTF-8 text, to be saved under its own name.
    /// - Errors: 404 for another language.
    func showHelper(_: World, _ request: Request) throws -> Response {
        try handout(request.parameter("name"), of: .helpers, request)
    }

    struct StubsOutput: Encodable {
        let version: String
        let stubs: [Stub]

        struct Stub: Encodable {
            let file: String
            let url: String
        }
    }

    /// `GET /stubs`, also with a slash at its end: the stand-ins for SDKs whose protocols are closed.
    ///
    /// - Response: `200 {"version": "…", "stubs": [{"file": "NextAuth.kt", "url": "…"}, …]}`.
    func listStubs(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let base = request.worldURL + Self.root + "/stubs/"
        let files = Handouts.stubs.words.compactMap(Handouts.stubs.file)
        return try .json(
            StubsOutput(version: info.version, stubs: files.map { .init(file: $0, url: base + $0) }))
    }

    /// `GET /stubs/NAME`: the stub of that file name, as `understudy stub` prints it.
    ///
    /// - Response: `200` with the file as UTF-8 text, or as an archive, to be saved under its own name.
    /// - Errors: 404 for another name.
    func showStub(_: World, _ request: Request) throws -> Response {
        try handout(request.parameter("name"), of: .stubs, request)
    }

    /// A file of `handouts`, by its word or its name.
    func handout(_ name: String, of handouts: Handouts, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        guard let file = handouts.file(name),
            let text = handouts.text(of: file, version: info.version, in: web)
        else {
            throw ControlError.absent(
                "There is no \(handouts.noun) “\(name.shortened)”, only one for \(handouts.words.joined(separator: ", "))."
            )
        }
        return Response(
            headers: [
                "Content-Type": file.hasSuffix(".tar") ? "application/x-tar" : "text/plain; charset=utf-8",
                "Content-Disposition": "attachment; filename=\"\(file)\"",
            ], body: Array(text.utf8))
    }
}
