"""Chinese names of the filters and their values, simplified and traditional.

The query language knows the English names; these are other spellings of them.
"""

from __future__ import annotations


def _spelled(names: dict[str, str]) -> dict[str, str]:
    return {spelling: name for name, spellings in names.items() for spelling in spellings.split()}


FILTER_NAMES = _spelled(
    {
        "type": "类型 類型",
        "project": "项目 項目 工程 專案",
        "session": "会话 會話",
        "parent": "父会话 父會話",
        "subagent": "子代理 子智能体 子智能體",
        "agent": "代理 智能体 智能體 助手",
        "kind": "种类 種類 类别 類別",
        "file": "文件 檔案",
        "concept": "概念",
        "tag": "标签 標籤",
        "tool": "工具",
        "entity": "实体 實體",
        "source": "来源 來源",
        "machine": "机器 機器 电脑 電腦",
        "author": "作者",
        "team": "团队 團隊",
        "since": "自 从 從 自从 自從",
        "until": "至 到 直到 截至",
        "on": "在 于 於 日期",
        "is": "是 状态 狀態",
        "sort": "排序",
    }
)
"""The English name of each filter by its Chinese ones."""

VALUES = {
    "type": _spelled(
        {
            "bugfix": "修复 修復 缺陷",
            "feature": "功能 特性",
            "refactor": "重构 重構",
            "discovery": "发现 發現",
            "finding": "结论 結論",
            "decision": "决定 決定 决策 決策",
            "change": "变更 變更 更改 修改",
            "error": "错误 錯誤",
            "note": "笔记 筆記",
            "prompt": "提问 提問 提示",
            "summary": "摘要 总结 總結",
            "fact": "事实 事實",
        }
    ),
    "kind": _spelled(
        {
            "observation": "观察 觀察",
            "prompt": "提问 提問 提示",
            "summary": "摘要 总结 總結",
            "fact": "事实 事實",
        }
    ),
    "is": _spelled(
        {
            "pinned": "置顶 置頂",
            "private": "私密 隐藏 隱藏",
            "deleted": "已删除 已刪除 删除 刪除",
            "noise": "噪音 杂项 雜項",
            "automatic": "自动 自動",
            "stale": "过时 過時 陈旧 陳舊",
            "superseded": "已取代 被取代",
            "reported": "已报告 已報告",
            "wrong": "有误 有誤",
            "similar": "相似 类似 類似",
        }
    ),
    "sort": _spelled(
        {
            "recent": "最新",
            "oldest": "最早",
            "relevance": "相关 相關",
            "pinned": "置顶 置頂",
            "meaning": "语义 語義 意义 意義",
        }
    ),
}
"""By the name of a filter: the English name of each value by its Chinese ones. A value in quotes isn't
translated, since a memory may have a type 修复 of its own."""
