import PlatformKit
import Platforms

/// `fixtures check`: says everything that is wrong in files. Each is laid over those before it, as `serve` does; one that is wrong is left
/// out for the others.
struct CheckFixtures {
    private let asJSON: Bool
    private let terminal: Terminal

    init(asJSON: Bool, _ terminal: Terminal) { (self.asJSON, self.terminal) = (asJSON, terminal) }

    /// What was found in one file.
    private struct Report: Encodable {
        struct Finding: Encodable {
            let file: String
            /// Counted from 1; nil for what has no place, such as a file that cannot be read.
            var line: Int?
            var column: Int?
            /// Path of the member, such as `hanko.users[2].id`; nil for a fault of the syntax.
            var field: String?
            let reason: String

            init(_ error: FixtureError) {
                (file, line, column, reason) = (error.file, error.line, error.column, error.reason)
                field = error.field.isEmpty ? nil : error.field
            }

            init(_ file: String, _ error: any Error) { (self.file, reason) = (file, error.sentence) }
        }

        let file: String
        var fine: Bool { mistakes.isEmpty }
        var mistakes: [Finding] = []
        var remarks: [Finding] = []

        enum CodingKeys: CodingKey { case file, fine, mistakes, remarks }

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode(file, forKey: .file)
            try members.encode(fine, forKey: .fine)
            try members.encode(mistakes, forKey: .mistakes)
            try members.encode(remarks, forKey: .remarks)
        }
    }

    func run(_ paths: [String]) -> Int32 {
        var good: FixtureSet?
        var reports: [Report] = []
        for path in paths {
            do {
                for file in try files(at: path) { reports.append(told(report(on: file, over: &good))) }
            } catch {
                reports.append(failed(path, error))
            }
        }
        if asJSON { terminal.write(JSONText.line(["files": reports])) }
        return reports.allSatisfy(\.fine) ? 0 : 1
    }

    private func files(at path: String) throws -> [String] {
        if path == FixtureFiles.builtInName { return [path] }
        let files = try FixtureFiles.files(at: path)
        if files.isEmpty { throw Failure("\(path): the folder holds no .json file") }
        return files
    }

    private func report(on file: String, over good: inout FixtureSet?) -> Report {
        do {
            let set = try FixtureFiles.load([file])
            let all = good?.merged(with: set) ?? set
            var report = Report(file: file)
            let remarks = all.remarks(of: Platforms.sections).filter { $0.file == file }
            let faults = try FixtureCheck.faults(of: all)
            if !asJSON {
                for remark in remarks { terminal.print("\(remark)") }
                for fault in faults { terminal.complain(fault.sentence) }
            }
            report.remarks = remarks.map(Report.Finding.init)
            report.mistakes = faults.map(Report.Finding.init)
            if report.fine { good = all }
            return report
        } catch {
            return failed(file, error)
        }
    }

    private func failed(_ file: String, _ error: any Error) -> Report {
        if !asJSON { terminal.complain(error.sentence) }
        let finding = (error as? FixtureError).map(Report.Finding.init) ?? Report.Finding(file, error)
        return Report(file: file, mistakes: [finding])
    }

    private func told(_ report: Report) -> Report {
        if report.fine, !asJSON { terminal.print("\(report.file): fine") }
        return report
    }
}
