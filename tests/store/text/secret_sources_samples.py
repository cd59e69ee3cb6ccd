"""Secrets that show only by where they come from, in what tools report; `@` stands for one."""

from __future__ import annotations

import json
from typing import Any

from .sample_parts import letters

SECRET = letters(32)


GIVING = (
    "glab auth token",
    "grep -oP '(?<=password=).*' app.conf",
    "python3 -c 'import secrets; print(secrets.token_hex(32))'",
    'node -e \'console.log(require("crypto").randomBytes(32).toString("hex"))\'',
    "bash -c 'gh auth token'",
    "export A=$(op read x); echo $A",
    "docker exec -it db cat /run/secrets/pg",
    "env | grep API_TOKEN | cut -d= -f2",
    "kubectl get secret s -o go-template='{{.data.x | base64decode}}'",
    "ssh prod cat /app/.env",
    "printenv STRIPE_SECRET",
    "aws configure get aws_secret_access_key --profile x",
    "op read op://a/b/c",
    "pass show web/x",
    "pass web/x",
    "vault kv get -field=password secret/x",
    "security find-generic-password -s x -w",
    "gh auth token",
    "gcloud auth print-access-token",
    "gcloud secrets versions access latest --secret=x",
    "az account get-access-token --query accessToken -o tsv",
    "az keyvault secret show --name x --vault-name y --query value -o tsv",
    "heroku config:get FOO_BAR",
    "heroku auth:token",
    "fly auth token",
    "doppler secrets get X --plain",
    "bw get password x",
    "lpass show --password x",
    "keyring get a b",
    "kubectl get secret db -o jsonpath='{.data.x}' #b",
    "kubectl create token sa",
    "terraform output -raw db_password",
    "pulumi config get dbpass",
    "git config --get github.token",
    "npm config get //registry.npmjs.org/:_authToken",
    "echo $API_KEY",
    'echo "$DB_PASS"',
    "echo %API_KEY%",
    "$env:API_KEY",
    "Get-Secret -Name x -AsPlainText",
    "Get-ChildItem Env:API_KEY",
    '[Environment]::GetEnvironmentVariable("API_KEY")',
    "node -p process.env.API_KEY",
    "python -c \"import os; print(os.environ['API_KEY'])\"",
    "cat /run/secrets/db",
    "secret-tool lookup a b",
    "gopass show x",
    "sops -d --extract '[\"x\"]' f.yaml",
    "aws secretsmanager get-secret-value --secret-id x --query SecretString --output text",
    "aws ssm get-parameter --name /x --with-decryption --query Parameter.Value --output text",
    "aws ecr get-login-password",
    "oc whoami -t",
    "docker exec web printenv API_TOKEN",
    "ssh host 'printenv API_TOKEN'",
    "cat .env; wc",
    "grep FOO .env |cut -d= -f2",
    "infisical secrets get X --plain",
    "rails credentials:show",
    "snyk config get api",
    "databricks auth token",
    "wrangler x; gh auth token",
    "kubectl get secret x -o jsonpath={.data.p} | base64 -d",
    "jq -r .token config.json",
    "doctl auth token",
    "rbw get x",
    "keepassxc-cli show -a password db x",
    "chamber read a b",
    "openssl rand -hex 32",
    "cat ~/.vault-token",
    "security find-internet-password -gs x",
    "TOKEN=$(gh auth token) && echo $TOKEN",
    "print -r -- $API_TOKEN",
    "wsl printenv API_TOKEN",
    "pwsh -c '$env:API_KEY'",
    "cat config/master.key",
    "sudo cat /run/secrets/x",
    "redis-cli config get requirepass",
    "dotnet user-secrets list",
)
"""Commands that answer with a secret."""

TAKING = (
    "aws configure set aws_secret_access_key @",
    "poetry config pypi-token.pypi @",
    "npm config set //registry.example/:_authToken @",
    "gcloud config set auth/access_token @",
    "unrar x -p@ a.rar",
    "security unlock-keychain -p @ login.keychain",
    "mosquitto_pub -u me -P @ -t a",
    "smbclient //host/share -U me%@",
    "htpasswd -nb me @",
    "doctl auth init -t @",
    "wpa_passphrase home @",
    "mc alias set store https://s3.example me @",
    "vault login @",
    "gem push --key @ a.gem",
    "gh secret set X < <(echo @)",
    "cat <<'EOF' | gh secret set X\n@\nEOF",
    'echo "@" | npx vercel env add X production',
    "net use \\\\s\\x @ /user:me",
    "cargo login @",
    "printf '@' | vercel env add FOO production",
    "echo @ | gh secret set FOO",
    'echo -n "@" | wrangler secret put FOO',
    'gh secret set FOO <<< "@"',
    "gh secret set FOO <<< @",
    'echo "@" | docker login --username me --password-stdin',
    'printf %s "@" | fly secrets import',
    '"@" | gh secret set FOO',
    "echo '@' | docker secret create x -",
    "echo @ | sudo -S ls",
    'echo "@" | npx wrangler secret put FOO',
    'gh secret set FOO --body "@"',
    "fly secrets set FOO=@",
    "heroku config:set FOO=@ -a x",
    "netlify env:set FOO @",
    "supabase secrets set FOO=@",
    "doppler secrets set FOO=@",
    'dotnet user-secrets set "A:B" "@"',
    "setx API_KEY @",
    'setx API_KEY "@" /M',
    "set API_KEY=@",
    'set "API_KEY=@"',
    '$env:API_KEY = "@"',
    "$Env:API_KEY='@'",
    '[Environment]::SetEnvironmentVariable("API_KEY", "@", "User")',
    "[System.Environment]::SetEnvironmentVariable('API_KEY','@')",
    'Set-Item Env:API_KEY "@"',
    'Set-Item -Path Env:API_KEY -Value "@"',
    "cmdkey /add:h /user:u /pass:@",
    "net user bob @ /add",
    "net use Z: \\\\h\\s /user:bob @",
    "nuget push a.nupkg -ApiKey @",
    'ConvertTo-SecureString "@" -AsPlainText -Force',
    'Set-Secret -Name x -Secret "@"',
    'aws ssm put-parameter --name /x --type SecureString --value "@"',
    'aws secretsmanager create-secret --name x --secret-string "@"',
    'az keyvault secret set --vault-name v --name n --value "@"',
    "vault kv put secret/x foo=@",
    "security add-generic-password -a a -s s -w @",
    "ngrok config add-authtoken @",
    "snmpwalk -v3 -u x -A @ host",
    "redis-cli -a @ ping",
    "keytool -genkey -storepass @ -keypass x",
    "reg add HKCU\\Environment /v API_KEY /d @",
    "eas secret:create --name FOO --value @",
    "kubectl create secret generic x --from-literal=foo=@",
    "pulumi config set --secret foo @",
    "sqlcmd -S h -U u -P @",
    "plink -pw @ h",
    "docker run -e FOO_API_KEY_V2=@ x",
    "export BROKER_KEY_LIVE=@",
    "APP_SALT=@",
    "PEPPER=@ x",
    "HTTP_AUTH_BASIC=@",
    "BASIC_AUTH=@ y",
    "echo FOO=@ >> .env",
    "cat > .env <<EOF\nfoo=@\nEOF",
    "cat > .env <<EOF\nFOO=@\nEOF",
    'vercel env add FOO production <<< "@"',
    "vercel secrets add foo @",
    "wrangler secret put FOO <<EOF\n@\nEOF",
    'railway variables --set "FOO=@"',
    "op item create --category=login password=@",
    "az login --service-principal -u x -p @ --tenant t",
    "$cred = Get-Credential; $p = ConvertTo-SecureString -String '@' -AsPlainText -Force",
    "Invoke-RestMethod -Headers @{ 'X-Api-Key' = '@' }",
    "gh secret set FOO -b@",
    'firebase functions:config:set stripe.key="@"',
    'Add-Content .env "FOO=@"',
    'Set-Content -Path .env -Value "FOO=@"',
    'New-Item -Path Env: -Name API_KEY -Value "@"',
    "mysql -u root -p@ db",
)
"""Commands that are given one."""

TEXTS = (
    *(
        f"$ {command}\n@\n$ ls"
        for command in ("gh auth token", "printenv X_TOKEN", "op read op://a/b")
    ),
    "$ cat .env | cut -d= -f2\n@\n",
    "PS C:\\Users\\me> $env:API_KEY\n@",
    "diff --git a/.env b/.env\nindex 1..2 100644\n--- a/.env\n+++ b/.env\n-FOO=1\n+FOO=@\n",
    "./.env:12:FOO=@",
    "src/.env.local:FOO=@\na.py:3",
    "Create `.env`:\n```\nFOO=@\n```",
    "Enter your API key: @",
    "? Paste your access token here: @",
    "Q: What is the API key?\nA: @",
    "What's your password?\n> @",
    ".example.org\tTRUE\t/\tTRUE\t1790000000\tsid\t@",
    *(
        f"{name}=@"
        for name in ("BROKER_KEY_LIVE", "APP_SALT", "AUTH_PEPPER_V1", "API_KEYS", "HTTP_AUTH_BASIC")
    ),
    "  BROKER_KEY_LIVE: @\n",
    "ENV FOO_TOKEN_X @",
    'os.environ["APP_KEY_LIVE"] = "@"',
    "define( 'NONCE_SALT', '@' );",
)
"""Texts in which the line above, or a name, tells that it is one."""

Use = dict[str, Any]


def of_command(command: str, answer: str) -> Use:
    """A use of a shell."""
    return {
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_response": {"stdout": answer},
    }


def of_file(path: str, content: str) -> Use:
    """A file that was read."""
    return {
        "tool_input": {"file_path": path},
        "tool_response": {"file": {"filePath": path, "content": content}},
    }


USES: tuple[Use, ...] = (
    of_file("/w/.env", "foo=@\nA=1"),
    of_file("/w/.env.local", "export FOO='@'\n"),
    of_file("C:\\w\\.env", "FOO=@"),
    {"tool_input": {"file_path": "/w/.env.production", "content": "BAR=@\n"}},
    {"tool_input": {"file_path": "/w/.env", "old_string": "xyz", "new_string": "@"}},
    {"tool_input": {"input": "*** Update File: .env\n-FOO=1\n+FOO=@\n"}},
    {"file_path": "/w/.env", "content": "foo=@"},
    of_command("git show HEAD:.env", "foo=@"),
    of_command("type .env", "foo=@"),
    of_command("Get-Content .env", "foo=@"),
    of_command(
        "aws secretsmanager get-secret-value --secret-id x",
        '{\n "Name": "x",\n "SecretString": "@"\n}',
    ),
    of_command("vault kv get secret/x", "Key   Value\n---   -----\nfoo   @\n"),
    {"tool_input": {"command": ["bash", "-lc", "cat .env"]}, "tool_response": "foo=@\n"},
    {
        "tool_input": {"command": ["bash", "-lc", "gh auth token"]},
        "tool_response": '{"output": "@\\n"}',
    },
    {"tool_input": {"cmd": "gh auth token"}, "tool_response": "Exit code: 0\nOutput:\n@\n"},
    {
        "tool_input": {"command": "gh auth token"},
        "tool_response": {"llmContent": "Output: @\nExit Code: 0"},
    },
    {"command": "gh auth token", "output": "@\n"},
    {
        "tool_input": {"questions": [{"question": "What is your OpenAI API key?"}]},
        "tool_response": {"answers": {"What is your OpenAI API key?": "@"}},
    },
    {
        "tool_input": {"questions": [{"question": "Paste the token"}]},
        "tool_response": 'User has answered your questions: "Paste the token"="@". You can now continue',
    },
    {
        "tool_input": {"questions": [{"question": "Which key?"}]},
        "tool_response": '{"answers": {"k": ["@"]}}',
    },
    {"env": {"BROKER_APP_KEY_LIVE": "@", "PASSWORD_SALT": "@"}},
    *(of_command(command, "@\n") for command in GIVING),
    *(of_command(command, "ok") for command in TAKING),
)

HARMLESS_USES: tuple[Use, ...] = (
    of_command("ls", "a1b2.py\nb.py"),
    of_command("git log --oneline", "a1b2c3d Fix key"),
    of_command("git show token_v2", "commit a1b2c3d4e5f6a1b2c3d4e5f6"),
    of_command("grep -rn secret src/a.py", "src/a.py:12:def x1(secret): return y2(z3)"),
    of_command("aws configure get region", "eu-west-1"),
    of_command("printenv PATH", "/usr/bin:/bin"),
    of_command("echo $HOME", "/home/x1"),
    of_command("T=$(gh auth token) make", "built 12ab files in 3s"),
    of_command("gh auth token | docker login --password-stdin", "Login Succeeded abc123x"),
    of_command("gh auth token", "no oauth token found for github.com"),
    of_file("/w/.env", "PORT=8080\nDEBUG=true\nNODE_ENV=production\nHOST=0.0.0.0\n# a\nA=${B}\n"),
    {
        "tool_input": {"questions": [{"question": "Which db?"}]},
        "tool_response": {"answers": {"Which db?": "pg16"}},
    },
    {
        "tool_input": {"questions": [{"question": "What is the password?"}]},
        "tool_response": {"answers": {"What is the password?": ""}},
    },
)
HARMLESS_TEXTS = (
    "npm config set registry https://registry.example",
    "run `vault login` first.",
    "gem push --key rubygems",
    "CACHE_KEY is user:123:v2",
    "credentials / secrets",
    "PAT is a personal access token",
    "Unseal key:\n  see-the-docs-of-vault",
    "MAX_TOKENS=4096\nKEYBOARD_LAYOUT=us\nAUTHOR=me1@example.org\nSSH_AUTH_SOCK=/tmp/a1/agent.12",
    "TOKENIZER=bert-base2\nPRIMARY_KEY_COLUMN=id2\nAUTH_URL=https://a.example/x1\nAUTH_METHOD=hs256-x1",
    "KEY_ID=x12345\nTOKEN_EXPIRY=3600s",
    "load_dotenv('.env')\nresult = compute(x1, y2)\nname2 = foo.bar3",
    "What is the token limit? 4096 per call",
    "Where is the password stored? config2.yaml",
)


def filled(told: Any) -> Any:
    """A report or a text with the secret in it."""
    return json.loads(json.dumps(told).replace("@{", "\0").replace("@", SECRET).replace("\0", "@{"))
