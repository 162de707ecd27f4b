import Foundation
import PackagePlugin

/// Turns `Web/` and `Fixtures/` into one Swift file of the module `Embedded`, again whenever one of their files changes.
@main struct EmbedPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let root = context.package.directoryURL
        let files = try ["Web", "Fixtures"].flatMap { try self.files(in: root.appending(path: $0)) }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFile+All.swift")
        return [
            .buildCommand(
                displayName: "Embedding Web/ and Fixtures/",
                executable: try context.tool(named: "Embed").url,
                arguments: [output.path, root.path] + files.map(\.path),
                inputFiles: files,
                outputFiles: [output])
        ]
    }

    private func files(in folder: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
            // Pictures of the documentation stay outside, and what only those read who change the pages.
            .filter { !$0.hasSuffix(".png") && $0 != "DESIGN.md" }
            .map { folder.appending(path: $0) }
            .filter { !$0.hasDirectoryPath && (try? $0.checkResourceIsReachable()) == true }
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
    }
}
