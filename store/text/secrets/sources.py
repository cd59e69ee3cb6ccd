"""Commands, files and questions that give a secret: what they answer is one, whatever it looks like.

A command is taken apart into its simple commands, each a tuple of words; nothing of a shell is run.
"""

from __future__ import annotations

from .pattern_parts import compiled

_GIVEN_BY = """
age -d | age --decrypt | age-keygen | akeyless get-secret-value | ansible-vault view|decrypt | apg
argocd account generate-token | argocd initial-password | aws-vault exec|export
aws configure export-credentials | aws codeartifact get-authorization-token | aws ecr get-login-password
aws eks get-token | aws iam create-access-key|create-service-specific-credential | aws kms decrypt
aws rds generate-db-auth-token
aws secretsmanager get-secret-value|batch-get-secret-value|get-random-password
aws ssm get-parameter|get-parameters|get-parameters-by-path|get-parameter-history
aws sso get-role-credentials
aws sts get-session-token|assume-role|assume-role-with-web-identity|get-federation-token
az account get-access-token | az acr credential|login | az ad create-for-rbac|reset
az keyvault secret show|list|download | az keys list|renew|regenerate | az appconfig list
az connection-string show-connection-string | az show-connection-string | az appsettings list
berglas access | bw get|list|unlock|export | cargo credential | cf env|service-key|oauth-token
chamber read|export|env | chezmoi secret | chntpw | confluent api-key create | conjur variable get|value
convertfrom-securestring | copilot secret | credstash get|getall | databricks auth|tokens token|create
dashlane password|secret | dcli password|secret|read | django-admin get_random_secret_key
docker compose config | docker-compose config | doctl auth token | doctl registry docker-config
doppler secrets|run get|download|printenv | doppler secrets | dotnet user-secrets list | dotenv get
dotenvx get | eas env:list|env:pull|env:get | envchain | etcdctl get | exo iam create
firebase functions:config:get | firebase functions:secrets:access | firebase login:ci
fly|flyctl auth token | fly|flyctl tokens create | gcloud print-access-token|print-identity-token
gcloud secrets access | gcloud keys create | gcloud sql generate-login-token | get-secret
get-azkeyvaultsecret | get-azaccesstoken | get-credential | get-storedcredential | get-ssmparametervalue
get-secsecretvalue | get-ssmparameter | getnetworkcredential | gh auth token
gh auth status -t|--show-token | gh extension token | git credential fill|get | git-credential fill|get
git credential-manager get | glab auth status -t|--show-token | glab auth token | gopass show|cat|otp|find
gopass pwgen | gpg -d|--decrypt|--export-secret-keys | gpg2 -d|--decrypt | hcp secrets open|read
heroku auth:token|authorizations:create | heroku config|config:get | hf auth token | htpasswd -n|-nb|-nB
ibmcloud oauth-tokens|api-key-create|api-key | infisical secrets|export|run | infisical token
infisical login | keepassxc-cli show|clip|generate|diceware | keyring get | kp show | kubectl create token
kubectl get secret|secrets | kubectl config view --raw | kubectl view-secret|modify-secret
kwallet-query -r | kwalletcli | launchctl export | lpass show|export|generate | mkpasswd | modal token
mongocli apikey | netlify env:get|env:list|env:export | netsh wlan key=clear | nmcli -s|--show-secrets
nomad var get | npm token create | oc whoami -t|--show-token | oc get secret|secrets | oc create token
oc extract secret | op read | op item get | op get | op signin --raw | op document get | op inject
op service-account create|token | openssl rand | openssl pkey|rsa -in | passage show
php key:generate --show | planetscale password create | pscale password create | pulumi config get
pulumi --show-secrets | pulumi env open|get | pwgen | rails secret|credentials:show|credentials:edit
railway variables|variable | rake secret | rbw get|code | render env | sam secret | scw secret access
scw iam api-key create | secret-tool lookup|search
security find-generic-password|find-internet-password -w|-g|-gw|-wg|-gs|-ws|-ga|-wa | snyk config get
sf org display | sfdx force:org:display | snowsql generate-jwt | sops -d|--decrypt|decrypt|exec-env
stripe config --list | supabase status | supabase api-keys | supabase secrets | teller show|env|export|yaml
terraform output | terraform state pull|show | tofu output | tofu state pull|show | tailscale authkey
tccli key | twilio keys:create | vault kv get | vault read | vault print token | vault token create
vault write -field | vault unwrap | vault login | vault operator init | vault list-secret
vercel env ls|get | wg genkey|genpsk | wg showconf | wg show | wpa_passphrase | yc create-token | yc secret
""".replace("\n", " | ")
"""Commands by their words, in their order, with any others between them; a bar without blanks parts
those that may stand at one place."""

_TAKEN_BY = """
vercel env add|update | vercel secrets add | gh secret set | gh variable set | gh auth login --with-token
wrangler secret put|bulk | wrangler pages put | wrangler versions put | fly|flyctl secrets import|set
doppler secrets set|upload | docker login --password-stdin | podman login --password-stdin
helm login --password-stdin | buildah login --password-stdin | skopeo login --password-stdin
oras login --password-stdin | docker secret create | podman secret create | gcloud secrets create|add
pass insert|add | gopass insert | op create|edit | vault write|put | vault login | security -w
secret-tool store | keyring set | lpass add|edit | bw create|encode|login|unlock | chamber write
credstash put | heroku config:set | netlify env:set|env:import | railway variables|variable
eas secret:create | eas env:create | firebase functions:secrets:set | functions:secrets:set
supabase secrets set | sudo -S | passwd --stdin | passwd | cryptsetup luksOpen|open|luksFormat|luksAddKey
smbpasswd -s | gpg --passphrase-fd | gpg2 --passphrase-fd | openssl stdin | htpasswd -i|-ni | htpasswd -iB
mkpasswd -s|--stdin | wp --prompt | kubectl create secret | kubeseal | sops -e|--encrypt|encrypt | age -p
ansible-vault encrypt|encrypt_string | az login | az keyvault set
aws secretsmanager create-secret|put-secret-value | aws put-parameter | aws configure | pulumi config set
terraform login | snyk auth | ngrok authtoken|add-authtoken | cargo login | twine upload | rclone obscure
glab auth login --stdin | glab variable set | hub login | sf login | sfdx auth:sfdxurl:store | oc login
databricks configure | hf login | huggingface-cli login | wandb login | sentry-cli login | argocd login
consul put | nomad put | infisical secrets set | akeyless create-secret | read | ssh-add | ssh-keygen
keepassxc-cli | rbw add | git credential approve|store | git credential-store store
dotnet user-secrets set | set-secret | vlt secrets | hcp secrets create | scw create | berglas create
convertto-securestring | az secret set | docker-credential-osxkeychain store
""".replace("\n", " | ")
"""Commands that take a secret from what is piped into them, the same way."""

_FILES = (
    r"(?:^|[/\\])(?:run|etc|mnt|var)[/\\](?:[\w.-]+[/\\])?(?:secrets?|secrets-store)[/\\]"
    r"|(?:^|[/\\])(?:\.vault-token|master\.key|\.?(?:api[_-]?)?(?:token|secret|passw(?:or)?d"
    r"|passphrase|apikey)s?"
    r"(?:\.txt)?|[\w.-]+[._-](?:token|secret|passw(?:or)?d|passphrase|apikey|api[_-]key)s?(?:\.txt)?"
    r"|\.?secrets?[/\\][\w.-]+(?<!\.py|\.ts|\.js|\.go|\.rs|\.md))$"
)
_SETTINGS = (
    r"(?:^|[/\\:@])(?:\.env[\w.-]*|[\w.-]+\.env(?:\.[\w-]+)?|\.dev\.vars[\w.-]*|\.flaskenv"
    r"|\.envrc)$|/environ$"
)
"""Files of settings, each line a name and its value."""

# A quotation that isn't closed goes on to the end.
_WORD = r"\"(?:[^\"\\]|\\.)*+(?:\"|\\?\Z)|'[^']*+(?:'|\Z)|[^\s\"']+"
_PART = r"\|\||&&|[|;&\n()`]|\$\("
_NAME = (
    r"(?i:requirepass|masterauth|secret(?!s?[\w-]*\.(?:py|ts|js|go|rs|md|tsx)\b)"
    r"|token(?!s|iz|[_-]?(?:count|usage|limit|budget|\w*\.(?:py|ts|js|go|rs|md|tsx)\b))|passw(?:or)?d|passphrase|passcode|\bpwd|credential|"
    r"(?:api|access|private|signing|encryption|master"
    r"|account|session|auth|deploy|license|service)[._-]?keys?\b|(?:_|\b)auth(?:_|\b)|salt|pepper"
    r"|[._]key\b|[._]pass\b)"
)
_VARIABLE = (
    r"[A-Z0-9_]*(?:KEY|SECRET|TOKEN|(?<![A-Z])(?:O|BASIC_?)?AUTH(?![A-Z])|SALT|PEPPER|PASS|PWD"
    r"|CREDENTIAL|DSN)[A-Z0-9_]*|DATABASE_URL|[A-Z_]*(?:REDIS|MONGO(?:DB)?|POSTGRES|AMQP|MYSQL)_UR[IL]"
)
_PRINTED = (
    r"(?i:\bprintenv\s+(?:-\S+\s+)*|\becho\s.*?[$%!]\{?!?(?:env:)?|\bprintf\s.*?\$\{?!?|\bprint\s.*?\$\{?"
    r"|\b(?:declare|typeset)\s+-\w+\s+|\bgetenv\W{1,4}|environmentvariable\W{1,4}|\benviron\W{1,4}"
    r"(?:get\W{1,4})?|process\.env\W{1,3}|(?:^|[\s(\"'])env:\\?|\$env:|\bENV\W{1,3}|\bshow-environment\s.*?"
    r"|write-\w+\s.*?\$(?:env:)?|os\.getenv\W{1,3}|<<<\s*\"?\$\{?"
    r"|\benv\b[^|\n]{0,40}\|[^|\n]{0,40}grep\s.{0,40}?"
    rf")(?:{_VARIABLE})(?![A-Za-z0-9_])(?!\s*=)"
)
_MADE = (
    r"\b(?:python[\d.]*|node|ruby|perl|php|deno|bun)\b[^\n]{0,40}?\s-\w{0,3}[cepr]\b[\s\S]{0,400}?"
    r"(?:\bsecrets\.(?:token_|choice)|random_?[bB]ytes\(|\bSecureRandom\b|\btoken_urlsafe|\bgenerate_key\()"
)
"""A program on the command line that makes a secret."""
_READERS = frozenset(
    "get --get --get-all get-value config:get env:get output getenv show read jq yq crudini "
    "--get-urlmatch fetch lookup view awk dasel hget".split()
)
_FILTERS = frozenset(
    "head tail tr cut jq yq base64 sed awk grep rg tee cat xargs sort less more xxd rev od openssl "
    "select-object out-string convertfrom-json "
    "python python3 node perl ruby echo fold column uniq bat nl fx "
    "select-string select foreach-object % wc".split()
)
_SHOWN_BY = frozenset("echo printf print write-output write-host".split())
_PREFIXES = frozenset(
    "sudo env command exec time nohup npx bunx pnpm yarn bun dlx uvx bundle doas winpty $".split()
)
_RUNNERS = frozenset(
    "docker podman kubectl ssh heroku fly bash sh zsh pwsh powershell cmd wsl nix make xargs watch timeout "
    "direnv mise asdf php python python3 poetry uv pipenv bin".split()
)
"""Programs that run others, which their words name."""
_ASKED = (
    r"(?i:(?:\b(?:what|which|enter|paste|provide|give|type|tell|share|supply|need|input|send|insert|put)\b[^.?!\n]{0,60}?"
    r"|\A\W*(?:[\w-]+[ ]){0,4})"
    r"\b(?:(?:api|access|secret|private|license|signing|encryption|service|master|consumer|auth)[ _-]?keys?"
    r"|secret|token|password|passphrase|passcode|credentials?|pin|webhook url|connection string|dsn|key)\b"
    r"(?=\W*\Z|[?:,.]|[ ](?:for|of|to|from|on|in|that|you|do|does|did|should|shall|is|here|below|now|please"
    r"|again)\b|[ ]\())|(?:输入|粘贴|提供|是什么|是多少|给我|告诉)[^\n]{0,20}(?:密码|密钥|令牌|口令)"
    r"|(?:密码|密钥|令牌|口令|パスワード|APIキー)[^\n]{0,8}(?:是什么|是多少|[?？:：]|は|を|\Z)"
)
LONGEST_QUESTION = 300
_OTHERWISE = (
    "insert", "add", "generate", "edit", "rm", "mv", "cp", "git", "init", "ls", "list", "find", "grep",
    "help", "version", "--version", "--help",
)  # fmt: skip
_OTHERS = frozenset(
    "printenv get-childitem gci write-output write-host npx pass echo printf print declare typeset sudo "
    "docker kubectl ssh node npm git aws gcloud pip".split()
)
_SEARCHING = frozenset("sed awk grep rg".split())
_PRINTING = frozenset(
    "cat less more head tail bat "
    "type get-content gc nl xxd od strings base64 tac batcat sed awk grep rg".split()
)

RULES = (_GIVEN_BY, _TAKEN_BY, _FILES, _SETTINGS, _NAME, _VARIABLE, _PRINTED, _MADE, _ASKED)
"""What has to change where any of this does."""

Words = tuple[str, ...]


def is_program(word: str) -> bool:
    """Whether a word may begin a command that gives a secret."""
    return word in _table(_GIVEN_BY) or word in _PRINTING or word in _READERS or word in _OTHERS


def is_settings_file(path: str) -> bool:
    """Whether a path is that of a file of settings, of which each value may be a secret."""
    return ("env" in path or "vars" in path) and bool(compiled(_SETTINGS).search(path))


def is_secret_file(path: str) -> bool:
    """Whether all of a file is a secret, as its path says."""
    return bool(compiled(_FILES).search(path)) and not is_settings_file(path)


def asks_for_secret(question: str) -> bool:
    """Whether a question asks for a key, a token or a password."""
    return len(question) <= LONGEST_QUESTION and bool(compiled(_ASKED).search(question))


def names_settings(command: str) -> bool:
    """Whether a command names a file of settings, to read or to write it."""
    if not ("env" in command or ".vars" in command):
        return False
    for part in compiled(r"\n(?!EOF)|;|&&|\|\|").split(command):
        words = compiled(r"[\s\"'`;|&<>()=,]+").split(part)
        programs = {word.rpartition("/")[2].lower() for word in words}
        is_touched = not _TOUCHING.isdisjoint(programs) or compiled(r"[<>*]|\A\s*\.\s").search(part)
        if is_touched and any(map(_is_settings_word, words)):
            return True
    return False


def _is_settings_word(word: str) -> bool:
    return _may_mean_settings(word) or (is_settings_file(word) and not compiled(_OBJECT).search(word))


def is_example_file(path: str) -> bool:
    """Whether a file of settings is one that tells what to set, with what takes the place of secrets."""
    return compiled(_EXAMPLE).search(path) is not None


_EXAMPLE = (
    r"(?i:env[\w.-]*[._-](?:example|sample|template|dist|defaults?|schema|test)\b"
    r"|(?:example|sample|template)[\w.-]*env$)"
)
_WRITING = (
    "cp diff git dotenv dotenvx export source add-content set-content out-file php crudini envsubst direnv "
    "dos2unix paste env set sops apply_patch yq"
)
_TOUCHING = frozenset((*_PRINTING, *_FILTERS, *_SHOWN_BY, *_WRITING.split()))
_OBJECT = (
    r"(?:^|[^\w])(?:process|meta|Deno|Bun|os|std|self|this|ctx|context|c|config|app|settings|globalThis|window"
    r"|import)\.env\b"
)
_CUT = (
    rf"\b(?:grep|rg)\b[^|;&\n]*{_NAME}[^|;&\n]*\|[^;&\n]*\b(?:cut|awk|sed)\b"
    rf"|\b(?:awk|sed)\b[^|;&\n]*{_NAME}[^;&\n]*(?:print\s*\$[2N]|s[/|#])"
)
"""Only the value is shown of a line with such a name."""


def gives_secret(command: str) -> bool:
    """Whether what a command prints is a secret, or has one in it."""
    if compiled(_PRINTED).search(command) or compiled(_MADE).search(command):
        return True
    if names_settings(command) and compiled(_CUT).search(command):
        return True
    if compiled(_SHOWN_LATER).search(command):
        command = command.replace("$(", ";")
    # What looks like a pipe within quotes may be one, for another shell, or none.
    plain = compiled(_QUOTED).sub(lambda quoted: quoted[0].translate(_OPERATORS), command)
    return any(is_seen and _is_given(part) for text in {command, plain} for part, is_seen in _parts(text))


_QUOTED = r"\"[^\"\n]*+\"|'[^'\n]*+'"
_OPERATORS = dict.fromkeys(map(ord, "|;&()`"), " ")
_SHOWN_LATER = (
    r"(?<![\w$])(?P<name>[A-Za-z_]\w{0,60}+)=[\"']?\$\([^\n]{0,400}?"
    r"(?<!\w)(?:echo|printf|print)\s[^\n]{0,200}?\$\{?(?P=name)\b"
)
"""A variable that holds an answer, and is printed afterwards."""


def takes_secret(command: str) -> bool:
    """Whether a simple command reads a secret from its standard input."""
    if "sudo" in command and compiled(r"(?:^|\s)sudo\s(?:-\w+\s)*-\w*S\b").search(command):
        return True
    words = words_of(command)
    return bool(words) and _matches(words, _table(_TAKEN_BY))


def _may_mean_settings(word: str) -> bool:
    # A wildcard, or signs that a shell leaves out.
    bare = word.translate(_SHELL_SIGNS)
    return bare != word and ".e" in bare and ".env".startswith(bare.rpartition("/")[2][:4])


_SHELL_SIGNS = str.maketrans("", "", "\\'\"*?[]")


def words_of(command: str) -> Words:
    """The words of a simple command, without what only runs another."""
    words = [word.strip("\"'") for word in compiled(_WORD).findall(command)]
    while words and (words[0] in _PREFIXES or compiled(r"[A-Za-z_]\w*=|-").match(words[0])):
        del words[0]
    if words:
        program = words[0].replace("\\", "/").rpartition("/")[2].lower()
        words[0] = program.removesuffix(".exe").removesuffix(".cmd").partition("@")[0]
    return tuple(words)


def _parts(command: str) -> list[tuple[Words, bool]]:
    """The simple commands of a command, and whether what each prints is seen."""
    pieces = compiled(rf"({_PART})").split(command)
    commands = [words_of(piece) for piece in pieces[::2]]
    parts: list[tuple[Words, bool]] = []
    for at, words in enumerate(commands):
        opened = pieces[2 * at - 1] if at else ""
        before = pieces[2 * at - 2] if at else ""
        after = pieces[2 * at + 1] if 2 * at + 1 < len(pieces) else ""
        is_seen = True
        if opened in ("$(", "`"):
            outer = words_of(before)
            is_seen = bool(outer) and outer[0] in _SHOWN_BY
        elif after == "|":
            is_seen = bool(commands[at + 1]) and commands[at + 1][0] in _FILTERS
        if any(word in (">", "1>", "&>") or word.startswith(">") for word in words):
            is_seen = False
        parts.append((words, is_seen))
    return parts


_SILENT = frozenset(
    "cd export true set read wait sleep local eval source . [ if then fi else for do done mkdir".split()
)


def is_only_giver(command: str) -> bool:
    """Whether all that a command prints is what gives a secret prints."""
    return "\n" not in command.strip() and all(
        words[0] in _FILTERS or words[0] in _SHOWN_BY or words[0] in _RUNNERS or _is_given(words)
        for words in _printing(command)
    )


def edges_given(command: str) -> set[int]:
    """Whether the first (0) or the last (-1) of a command's parts that print something gives a secret."""
    parts = _printing(command)
    return {edge for edge in (0, -1) if parts and _is_given(parts[edge])}


def _printing(command: str) -> list[Words]:
    """The parts of a command that print something which is seen."""
    plain = compiled(_QUOTED).sub(lambda quoted: quoted[0].translate(_OPERATORS), command)
    return [words for words, is_seen in _parts(plain) if is_seen and words and words[0] not in _SILENT]


def _is_given(words: Words, runners: int = 3) -> bool:
    """Whether a simple command gives a secret, or runs one that does, by at most so many runners."""
    if not words:
        return False
    program, *others = words
    if program in _RUNNERS and runners:
        inner = " ".join(others[:64]).split()[:64]
        if any(_is_given(tuple(inner[at:]), runners - 1) for at in range(min(len(inner), 8))):
            return True
    if program == "pass":
        return bool(others) and others[0] not in _OTHERWISE
    if program.startswith("docker-credential-"):
        return "get" in others
    named = [word for word in others if word[:1] != "-"]
    # The first word of some is a pattern.
    if program in _PRINTING and any(map(is_secret_file, named[program in _SEARCHING :])):
        return True
    if _matches(words, _table(_GIVEN_BY)):
        return True
    if program in ("grep", "rg") and any(compiled(r"-\w*o|--only").match(word) for word in others):
        # A pattern that leaves out the name, of which only the value is shown.
        return any(
            sign in word and compiled(_NAME).search(word) for word in others for sign in ("?<=", "\\K")
        )
    if program in ("git", "gh", "glab", "docker", "man", "less", "vim"):
        is_reader = not {"get", "--get", "--get-all", "--get-urlmatch"}.isdisjoint(others)
        return is_reader and any(map(compiled(_NAME).search, others))
    is_reader = program in _READERS or not _READERS.isdisjoint(others) or "config" in others
    return (
        is_reader
        and any(
            compiled(_NAME).search(word)
            for word in others
            if word[:1] != "-" and (word[:1] != "/" or word[:2] == "//")
        )
        and not ("config" in others and len(others) > 2 and _READERS.isdisjoint(others))
    )


Row = tuple[tuple[str, ...], ...]
_tables: dict[str, dict[str, list[Row]]] = {}


def _table(commands: str) -> dict[str, list[Row]]:
    """The rows of a table by their program, each the words that follow it."""
    if commands not in _tables:
        rows: dict[str, list[Row]] = {}
        for row in filter(None, map(str.split, commands.split(" | "))):
            programs, *others = (tuple(word.split("|")) for word in row)
            for program in programs:
                rows.setdefault(program, []).append(tuple(others))
        _tables[commands] = rows
    return _tables[commands]


def _matches(words: Words, table: dict[str, list[Row]]) -> bool:
    """Whether the words of a command are those of a row, in their order."""
    for row in table.get(words[0], ()):
        rest = iter(words[1:])
        if all(any(_is_one_of(word, wanted) for word in rest) for wanted in row):
            return True
    return False


def _is_one_of(word: str, names: tuple[str, ...]) -> bool:
    return word in names or (word[:1] == "-" and word.partition("=")[0] in names)
